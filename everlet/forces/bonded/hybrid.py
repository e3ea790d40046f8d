"""Styles hybrid: a bonded style for each type.

    bond_style hybrid harmonic fene zero           args of a style follow its name
    bond_coeff 1 harmonic 80 1.2                   'none' in place of a style: links of that type have no force
    angle_coeff 2 class2 bb 12 1.5 1.4

Sub-styles do not know of each other. Each has a table of links of its own types and its own loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everlet.errors import InputError, arguments, unknown

if TYPE_CHECKING:
    from everlet.forces.bonded.base import LinkStyle
else:
    LinkStyle = object


class Hybrid(LinkStyle):
    """Goes before the base class of a kind. `chosen`: the name of the style of each type."""

    styles: dict[str, LinkStyle]
    chosen: dict[int, str]

    def settings(self, args: list[str]) -> None:
        from everlet.forces.bonded.base import STYLES  # which imports this

        known, kind = STYLES[self.kind.name], self.kind.name
        self.styles, self.chosen = {}, {}
        starts = [k for k, word in enumerate(args) if word in known]
        if not starts or starts[0] != 0:
            raise unknown(f"{kind} style", args[0] if args else "", known)
        for first, last in zip(starts, [*starts[1:], len(args)], strict=True):
            name = args[first]
            if name == "hybrid" or name in self.styles:
                raise InputError(f"{kind}_style hybrid {'inside itself' if name == 'hybrid' else f'names {name} twice'}",
                                 "name each style once")
            self.styles[name] = known[name](self.system, args[first + 1 : last])

    def coeff(self, args: list[str]) -> None:
        """{kind}_coeff TYPE STYLE [PART] values"""
        kind = self.kind.name
        arguments(args, 2, None, f"{kind}_coeff TYPE STYLE values")
        words = list(args)
        parts = {part for style in self.styles.values() for part in style.parts}
        if words[1] in parts and words[1] not in self.styles:  # sections of data files
            words[1:3] = words[2:0:-1]
        types, name = self.system.topology.type_range(self.kind, words[0]), words[1]
        if name in ("none", "skip"):
            if name == "none":
                self.chosen |= dict.fromkeys(types, name)
            return
        if name not in self.styles:
            raise unknown(f"sub-style of {kind}_style hybrid", name, [*self.styles, "none"])
        self.styles[name].coeff([words[0], *words[2:]])
        self.chosen |= dict.fromkeys(types, name)

    def missing(self, type: int) -> str:
        if type not in self.chosen:
            return f"{self.kind.name}_coeff {type}"
        return "" if self.chosen[type] == "none" else self.styles[self.chosen[type]].missing(type)

    def members(self) -> list[tuple[LinkStyle, list[int]]]:
        most, kind = self.system.topology.types[self.kind.name], self.kind.name
        for type in range(1, most + 1):
            if self.missing(type):
                raise InputError(f"no {kind}_coeff for {kind} type {type}: '{self.missing(type)}' was not given",
                                 f"give {kind}_coeff TYPE STYLE … for each {kind} type")
        found: list[tuple[LinkStyle, list[int]]] = []
        for name, style in self.styles.items():
            types = [type for type, one in self.chosen.items() if one == name]
            found += [(style, sorted(types))] if types and style.computes else []
        return found

    def rest(self, type: int) -> float:
        name = self.chosen.get(type, "none")
        if name == "none":
            raise InputError(f"{self.kind.name} type {type} has no style", f"give {self.kind.name}_coeff for it")
        return self.styles[name].rest(type)

    def data_coeffs(self, part: str = "") -> list[str]:
        return []  # as the reference does: coefficients of hybrid styles are not written

    def state(self) -> dict[str, Any]:
        return {"style": self.name, "args": self.args, "chosen": list(self.chosen.items()),
                "styles": {name: style.state() for name, style in self.styles.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        self.chosen = dict(state["chosen"])
        for name, style in self.styles.items():
            style.restore(state["styles"][name])

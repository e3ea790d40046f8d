"""What forces are made of, as attributes of a simulation: styles and fixes; and computes."""

from __future__ import annotations

from typing import Any

from everlet.api.operations import Computes, Fixes
from everlet.api.state import State
from everlet.api.styles import Linked, Pair, Style
from everlet.errors import InputError


def _styles_of(kind: str, made: str, what: str) -> Any:
    """An attribute that is the style of a kind, and can be set to another one."""
    def get(self: Forces) -> Any:
        return self._style(kind)

    def put(self: Forces, style: Any) -> None:
        self._use(kind, style)

    get.__annotations__["return"] = f"{made} | None"
    return property(get, put, doc=what)


class Forces(State):
    """Styles, fixes and computes of a Simulation."""

    _styles: dict[str, tuple[Style, tuple[str, ...]]]  # with all lines about styles of this kind up to then

    def _style(self, kind: str) -> Style | None:
        self.engine  # noqa: B018  refused when closed
        style, lines = self._styles.get(kind, (None, ()))
        return style if lines == self._record.about(kind) else None  # scripts may have said something else since

    def _use(self, kind: str, style: Any) -> None:
        if style is None:
            self.engine.commands(f"{kind}_style none")
            self._styles.pop(kind, None)
            return
        if not isinstance(style, Style) or style.kind != kind:
            raise InputError(f"sim.{kind} must be made by everlet.{kind}, found {style!r}",
                             f"for instance everlet.{kind}.{'lj_cut(2.5)' if kind == 'pair' else 'NAME(…)'}; or "
                             f"sim.commands('{kind}_style …')")
        lines = style.lines(self.type_names)
        system = self.engine.system
        if {"pair": system.pair, "kspace": system.kspace, **system.bonded}[kind] is not None:
            # a style of the same name would go on with the coefficients that it has
            lines.insert(0, f"{kind}_style none")
        self._styles.pop(kind, None)  # if one of the lines is refused there is neither the old one nor the new one
        self.engine.commands("\n".join(lines), f"sim.{kind}")
        self._styles[kind] = style, self._record.about(kind)

    pair: Pair | None = _styles_of("pair", "Pair", "The pair style: everlet.pair.NAME(…); `+` lays several over each other.")
    bond: Linked | None = _styles_of("bond", "Linked", "The bond style: everlet.bond.NAME(…).coeff(type, …).")
    angle: Linked | None = _styles_of("angle", "Linked", "The angle style.")
    dihedral: Linked | None = _styles_of("dihedral", "Linked", "The dihedral style.")
    improper: Linked | None = _styles_of("improper", "Linked", "The improper style.")
    kspace: Style | None = _styles_of("kspace", "Style", "The long-range solver: everlet.kspace.pppm(1e-4).")

    @property
    def fix(self) -> Fixes:
        """Fixes: sim.fix.nvt(temp=300, damp=0.1) adds one, sim.fix["id"] finds one."""
        return Fixes(lambda: self.engine)

    @property
    def compute(self) -> Computes:
        """Computes: sim.compute.rdf(100) adds one, sim.compute["id"] finds one."""
        return Computes(lambda: self.engine)

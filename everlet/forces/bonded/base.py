"""Bonded styles: energies of atoms that are linked. A bond style is one small file in bonds/, registered by decorator.

    @bond_style("harmonic")
    class Harmonic(BondStyle):
        coeffs = ("k", "r0")

        @portable
        def energy(r2, p):
            ...

The force is the slope of the energy, derived from its text; a style may give both in `bond(r2, p)`: F/r and E.
Styles of angles, dihedrals and impropers live in angles/, dihedrals/ and impropers/.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.forces.pair.formulas import Values, ask, differentiated
from everlet.portable import portable
from everlet.registry import Registry
from everlet.state.system import System
from everlet.state.text import shortest
from everlet.state.topology import BOND, KINDS, Kind


class LinkStyles(Registry[Any]):
    """The registry of the styles of one kind; a class learns the name it is registered under."""

    def __call__(self, *names: str) -> Callable[[Any], Any]:
        register = super().__call__(*names)

        def named(style: Any) -> Any:
            style.name = names[0]
            return register(style)

        return named


STYLES = {name: LinkStyles(f"{name} style", f"everlet.forces.bonded.{kind.plural}") for name, kind in KINDS.items()}
bond_style, angle_style, dihedral_style, improper_style = STYLES.values()


class LinkStyle:
    """Base of styles of all kinds. `coeffs` are the words of {kind}_coeff in order, `table` makes parameters p of them if
    need be."""

    kind: ClassVar[Kind]
    name: ClassVar[str] = ""
    coeffs: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[Values] = {}  # coefficients for `everlet check`; 1.0 where none is given
    table: ClassVar[Callable[..., Values] | None] = None  # None: the coefficients are the parameters

    def __init__(self, system: System, args: list[str]):
        self.system, self.args = system, list(args)
        self.settings(args)
        self.given: dict[int, Values] = {}

    def settings(self, args: list[str]) -> None:
        """The words of {kind}_style behind the name."""
        arguments(args, 0, 0, f"{self.kind.name}_style {self.name}")

    def coeff(self, args: list[str]) -> None:
        """{kind}_coeff TYPE values: TYPE is a number, a label or a range such as 1*3."""
        arguments(args, len(self.coeffs) + 1, len(self.coeffs) + 1, " ".join([f"{self.kind.name}_coeff TYPE", *self.coeffs]))
        values = {name: number(word, name) for name, word in zip(self.coeffs, args[1:], strict=True)}
        self.parameters(values)
        for type in self.system.topology.type_range(self.kind, args[0]):
            self.given[type] = dict(values)

    def parameters(self, values: Values) -> Values:
        if self.table is None:
            return {name: values[name] for name in self.coeffs}
        return {name: float(value) for name, value in ask(self.table, values).items()}

    def numbers(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Names of the parameters, and their values by type; row 0 is unused."""
        types, name = self.system.topology.types[self.kind.name], self.kind.name
        missing = [str(type) for type in range(1, types + 1) if type not in self.given]
        if missing:
            raise InputError(f"no {name}_coeff for {name} type {', '.join(missing)}", f"give {name}_coeff for each {name} type")
        rows = [self.parameters(self.given[type]) for type in range(1, types + 1)]
        names = tuple(rows[0]) if rows else tuple(self.parameters(dict.fromkeys(self.coeffs, 1.0)))
        return names, np.array([[0.0] * len(names), *([row[name] for name in names] for row in rows)])

    def rest(self, type: int) -> float:
        """The length, or the angle in degrees, that constraints hold: r0 or theta0, if a style does not say otherwise."""
        name = {"bond": "r0", "angle": "theta0"}.get(self.kind.name, "")
        if type not in self.given:
            raise InputError(f"no {self.kind.name}_coeff for {self.kind.name} type {type}", f"give {self.kind.name}_coeff")
        if name not in self.given[type]:
            raise InputError(f"{self.kind.name} style {self.name} has no value at rest that could be constrained",
                             f"use {self.kind.name}_style harmonic for these types")
        return self.given[type][name]

    def data_coeffs(self, part: str = "") -> list[str]:
        """Lines of a section of coefficients of a data file; `part`: of which of the further ones (Kind.cross)."""
        if part:
            return []
        return [" ".join([str(type), *(shortest(values[name]) for name in self.coeffs)])
                for type, values in sorted(self.given.items())]

    def state(self) -> dict[str, Any]:
        return {"style": self.name, "args": self.args, "coeffs": [[type, values] for type, values in self.given.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        self.given = {type: dict(values) for type, values in state["coeffs"]}


class BondStyle(LinkStyle):
    """Base of bond styles: a formula of the squared length."""

    kind = BOND
    bond: ClassVar[portable | None] = None
    energy: ClassVar[portable | None] = None

    @classmethod
    def function(cls, fields: tuple[str, ...]) -> portable:
        """F/r and E of a bond: f(r2, p)."""
        if cls.bond is not None:
            return cls.bond
        if cls.energy is None:
            raise InputError(f"bond style {cls.name} has neither bond(r2, p) nor energy(r2, p)", "write one of them")
        return differentiated(cls.energy, fields)

"""Bonded styles: energies of atoms that are linked. A bond style is one small file in bonds/, registered by decorator.

    @bond_style("harmonic")
    class Harmonic(BondStyle):
        coeffs = ("k", "r0")

        @portable
        def energy(r2, p):
            ...

The force is the slope of the energy, derived from its text; a style may give both in `bond(r2, p)`: F/r and E.
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


class BondStyles(Registry[type["BondStyle"]]):
    """The registry of bond styles; a class learns the name it is registered under."""

    def __call__(self, *names: str) -> Callable[[type[BondStyle]], type[BondStyle]]:
        register = super().__call__(*names)

        def named(style: type[BondStyle]) -> type[BondStyle]:
            style.name = names[0]
            return register(style)

        return named


bond_style = BondStyles("bond style", "everlet.forces.bonded.bonds")


class BondStyle:
    """Base of bond styles. `coeffs` are the words of bond_coeff in order, `table` makes parameters p of them if need be."""

    name: ClassVar[str] = ""
    coeffs: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[Values] = {}  # coefficients for `everlet check`; 1.0 where none is given
    table: ClassVar[Callable[..., Values] | None] = None  # None: the coefficients are the parameters
    bond: ClassVar[portable | None] = None
    energy: ClassVar[portable | None] = None

    def __init__(self, system: System, args: list[str]):
        self.system, self.args = system, list(args)
        arguments(args, 0, 0, f"bond_style {self.name}")
        self.given: dict[int, Values] = {}

    def coeff(self, args: list[str]) -> None:
        """bond_coeff TYPE values: TYPE is a number or a range such as 1*3."""
        arguments(args, len(self.coeffs) + 1, len(self.coeffs) + 1, " ".join(["bond_coeff TYPE", *self.coeffs]))
        values = {name: number(word, name) for name, word in zip(self.coeffs, args[1:], strict=True)}
        self.parameters(values)
        for bond in self.system.topology.bond_range(args[0]):
            self.given[bond] = dict(values)

    def parameters(self, values: Values) -> Values:
        if self.table is None:
            return {name: values[name] for name in self.coeffs}
        return {name: float(value) for name, value in ask(self.table, values).items()}

    def numbers(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Names of the parameters, and their values by bond type; row 0 is unused."""
        types = self.system.topology.bond_types
        missing = [str(bond) for bond in range(1, types + 1) if bond not in self.given]
        if missing:
            raise InputError(f"no bond_coeff for bond type {', '.join(missing)}", "give bond_coeff for each bond type")
        rows = [self.parameters(self.given[bond]) for bond in range(1, types + 1)]
        names = tuple(rows[0]) if rows else tuple(self.parameters(dict.fromkeys(self.coeffs, 1.0)))
        return names, np.array([[0.0] * len(names), *([row[name] for name in names] for row in rows)])

    @classmethod
    def function(cls, fields: tuple[str, ...]) -> portable:
        """F/r and E of a bond: f(r2, p)."""
        if cls.bond is not None:
            return cls.bond
        if cls.energy is None:
            raise InputError(f"bond style {cls.name} has neither bond(r2, p) nor energy(r2, p)", "write one of them")
        return differentiated(cls.energy, fields)

    def data_coeffs(self) -> list[str]:
        """Lines of the section Bond Coeffs of a data file."""
        return [" ".join([str(bond), *(shortest(values[name]) for name in self.coeffs)])
                for bond, values in sorted(self.given.items())]

    def state(self) -> dict[str, Any]:
        return {"style": self.name, "args": self.args, "coeffs": [[bond, values] for bond, values in self.given.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        self.given = {bond: dict(values) for bond, values in state["coeffs"]}

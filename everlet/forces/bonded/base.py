"""Bonded styles: energies of linked atoms. A style is one small file in bonds/, angles/, dihedrals/ or impropers/, such as
angles/harmonic.py.

The parameters of `energy` before p are inner coordinates of the kind, by name (coordinates.py lists them). Forces are slopes
of the energy, derived from its text. A tabulated style gives `curve(theta, p, data)` instead: the slope along one coordinate,
and the energy. A bond style may give `bond(r2, p)`: F/r and E.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.forces.bonded.coordinates import COORDINATES
from everlet.forces.pair.formulas import Values, ask
from everlet.portable import Portable, portable
from everlet.portable.language.functions import written
from everlet.portable.language.gradients import gradient
from everlet.registry import StyleRegistry
from everlet.state.system import System
from everlet.state.text import shortest
from everlet.state.topology import ANGLE, BOND, DIHEDRAL, IMPROPER, KINDS, Kind


class Degrees(float):
    """An angle that users give in degrees; formulas get radians."""


STYLES: dict[str, StyleRegistry[Any]] = {
    name: StyleRegistry(f"{name} style", f"everlet.forces.bonded.{kind.plural}") for name, kind in KINDS.items()}
bond_style, angle_style, dihedral_style, improper_style = STYLES.values()


class LinkStyle:
    """Base of styles of all kinds.

    coeffs     the words of {kind}_coeff in order; `defaults` has those that may be left out. With values that make sense, for
               `everlet check`: Degrees, whole numbers and others tell what is what. Of names alone the next three say it
    degrees    coefficients that are given in degrees; formulas get radians
    whole      coefficients that are whole numbers
    example    coefficients for `everlet check`; 1.0 where none is given
    parts      words of {kind}_coeff TYPE PART …: further coefficients, which are called PART_name
    table      makes parameters p of the coefficients, if need be
    alarm      alarm(r2, p) is 1 where a bond deserves a warning, 2 where it is an error, else 0
    """

    kind: ClassVar[Kind]
    name: ClassVar[str] = ""
    coeffs: ClassVar[tuple[str, ...] | dict[str, float]] = ()
    defaults: ClassVar[Values] = {}
    parts: ClassVar[dict[str, tuple[str, ...]]] = {}
    degrees: ClassVar[tuple[str, ...]] = ()
    whole: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[Values] = {}
    table: ClassVar[Callable[..., Values] | None] = None  # None: the coefficients are the parameters
    energy: ClassVar[Portable | None] = None
    curve: ClassVar[Portable | None] = None
    alarm: ClassVar[Portable | None] = None
    complaint: ClassVar[str] = "too long for"  # what an alarm says of a bond, before the style
    computes: ClassVar[bool] = True  # False: it has no force
    breaks: ClassVar[bool] = False  # bonds that are too long break for good (breaking.py)
    starts: ClassVar[bool] = False  # energies depend on where atoms were when the first run began
    directed: ClassVar[bool] = False  # energies depend on the dipole of the first atom, which has a torque (directed.py)

    def __init_subclass__(cls) -> None:
        coeffs = cls.coeffs
        if isinstance(coeffs, dict) and "coeffs" in vars(cls):
            cls.coeffs, cls.example = tuple(coeffs), coeffs
            cls.degrees = tuple(name for name, value in coeffs.items() if isinstance(value, Degrees))
            cls.whole = tuple(name for name, value in coeffs.items() if isinstance(value, int))

    def __init__(self, system: System, args: list[str]):
        self.system, self.args = system, list(args)
        self.settings(args)
        self.given: dict[int, Values] = {}

    def settings(self, args: list[str]) -> None:
        """The words of {kind}_style behind the name."""
        arguments(args, 0, 0, f"{self.kind.name}_style {self.name}")

    # ---- coefficients
    def coeff(self, args: list[str]) -> None:
        """{kind}_coeff TYPE [PART] values: TYPE is a number, a label or a range such as 1*3."""
        part = args[1] if len(args) > 1 and args[1] in self.parts else ""
        words, names = (args[2:], self.parts[part]) if part else (args[1:], self.coeffs)
        usage = " ".join([f"{self.kind.name}_coeff TYPE", *([part] if part else []), *names])
        arguments(words, sum(name not in self.defaults for name in names), len(names), usage)
        values = {f"{part}_{name}" if part else name: self._number(name, word)
                  for name, word in zip(names, words, strict=False)}
        if not part:
            values = {**{name: self.defaults[name] for name in names if name in self.defaults}, **values}
        for type in self.system.topology.type_range(self.kind, args[0]):
            self.given[type] = self.given.get(type, {}) | values
            if not self.missing(type):
                self.parameters(self.given[type])  # refuses what cannot be

    def _number(self, name: str, word: str) -> float:
        value = number(word, name)
        if name in self.whole and value != int(value):
            raise InputError(f"{self.kind.name} style {self.name}: {name} is a whole number, found {word}", "correct it")
        return value

    def names(self) -> list[str]:
        """All coefficients of a type."""
        return [*self.coeffs, *(f"{part}_{name}" for part, names in self.parts.items() for name in names)]

    def missing(self, type: int) -> str:
        """The first part of the coefficients of a type that has not been given; '' if all have."""
        given = self.given.get(type, {})
        if any(name not in given for name in self.coeffs) or type not in self.given:
            return f"{self.kind.name}_coeff {type}"
        for part, names in self.parts.items():
            if f"{part}_{names[0]}" not in given:
                return f"{self.kind.name}_coeff {type} {part}"
        return ""

    def parameters(self, values: Values) -> Values:
        """What formulas get."""
        inside = {name: math.radians(value) if name in self.degrees else value for name, value in values.items()}
        if self.table is None:
            return {name: inside[name] for name in self.names()}
        return {name: float(value) for name, value in ask(self.table, inside).items()}

    def numbers(self, types: list[int] | None = None) -> tuple[tuple[str, ...], np.ndarray]:
        """Names of the parameters, and their values by type; rows of types that are not its own are zeros."""
        most, name = self.system.topology.types[self.kind.name], self.kind.name
        types = list(range(1, most + 1)) if types is None else types
        for type in types:
            if self.missing(type):
                raise InputError(f"no {name}_coeff for {name} type {type}: '{self.missing(type)}' was not given",
                                 f"give {name}_coeff for each {name} type")
        rows = {type: self.parameters(self.given[type]) for type in types}
        names = tuple(dict.fromkeys(name for row in rows.values() for name in row))
        table = np.zeros((most + 1, max(len(names), 1)))
        for type, row in rows.items():
            table[type] = [row.get(name, 0.0) for name in names] or [0.0]
        return names or ("nothing",), table

    def data(self) -> np.ndarray:
        """Numbers of tabulated styles."""
        return np.zeros(1)

    def members(self) -> list[tuple[LinkStyle, list[int]]]:
        """Styles that compute something, and the types that each is for: more than one of a hybrid style."""
        most = self.system.topology.types[self.kind.name]
        return [(self, list(range(1, most + 1)))] if self.computes and most else []

    def weights(self, types: list[int]) -> np.ndarray:
        """By type: the factor of the pair of its first and last atom, which the pair style has a formula for (one_four.py)."""
        return np.zeros(1)

    def rest(self, type: int) -> float:
        """The length, or the angle in degrees, that constraints hold: r0 or theta0, if a style does not say otherwise."""
        name = {"bond": "r0", "angle": "theta0"}.get(self.kind.name, "")
        if type not in self.given:
            raise InputError(f"no {self.kind.name}_coeff for {self.kind.name} type {type}", f"give {self.kind.name}_coeff")
        if name not in self.given[type]:
            raise InputError(f"{self.kind.name} style {self.name} has no value at rest that could be constrained",
                             f"use {self.kind.name}_style harmonic for these types")
        return self.given[type][name]

    def longest(self, types: list[int]) -> dict[int, float]:
        """By type: the length at which bonds break, of a style that `breaks`."""
        return {}

    def begin(self) -> None:
        """Before each run: what atoms must have; of a style that `starts` where they are, if that is not known."""

    @property
    def ways(self) -> int:
        """Ways between atoms that its energy is a function of."""
        return self.kind.size - 1 + int(self.starts)

    # ---- formulas
    @classmethod
    def function(cls, fields: tuple[str, ...]) -> Portable:
        """link(d1x, …, p, data): the energy, and its slopes along the ways from atom 2 to the others."""
        curve = cls.curve
        formula = curve if curve is not None else cls.energy
        if formula is None:
            raise InputError(f"{cls.kind.name} style {cls.name} has no energy", "write energy(coordinates …, p)")
        return link_function(cls.kind.name, formula, curve is not None, fields)

    # ---- files
    def data_coeffs(self, part: str = "") -> list[str]:
        """Lines of a section of coefficients of a data file; `part`: of which of the further ones (Kind.cross)."""
        if part and part not in self.parts:
            return []
        names = [f"{part}_{name}" for name in self.parts[part]] if part else self.coeffs
        return [" ".join([str(type), *(shortest(values[name]) for name in names)])
                for type, values in sorted(self.given.items()) if all(name in values for name in names)]

    def state(self) -> dict[str, Any]:
        return {"style": self.name, "args": self.args, "coeffs": [[type, values] for type, values in self.given.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        self.given = {type: dict(values) for type, values in state["coeffs"]}


@functools.cache
def link_function(kind: str, formula: Portable, tabulated: bool, fields: tuple[str, ...], shape: Portable | None = None
                  ) -> Portable:
    """The text of a link from a formula of inner coordinates; one object per formula, so that kernels are made once. `shape` is
    an energy of the number that a tabulated formula gives, and of further coordinates: shape(number, coordinates …, p)."""
    known = COORDINATES[kind]
    names = [name for name in inspect.signature(formula.body).parameters if name not in ("p", "data")]
    if shape is not None:
        names += list(inspect.signature(shape.body).parameters)[1:-1]
    for name in names:
        if name not in known:
            raise InputError(f"'{formula.body.__qualname__}' asks for '{name}', which is not a coordinate of "
                             f"{KINDS[kind].plural}", f"there are: {', '.join(known)}, and last p")
    places = [f"d{k}" for k in (1, 3, 4)[: KINDS[kind].size - 1 + int("start" in names)]]

    def inner(*inputs: Any) -> dict[str, Any]:
        ways = [tuple(inputs[3 * k : 3 * k + 3]) for k in range(len(places))]
        return {name: known[name](*ways) for name in names}

    energy = None if tabulated else formula.body
    if shape is not None:
        energy = shape.body
    source = gradient(inner, energy, names, [f"{place}{axis}" for place in places for axis in "xyz"], fields, tabulated)
    return written(source, f"force of {formula.body.__qualname__}", curve=formula)


class BondStyle(LinkStyle):
    """Base of bond styles."""

    kind = BOND
    bond: ClassVar[Portable | None] = None

    @classmethod
    def function(cls, fields: tuple[str, ...]) -> Portable:
        if cls.bond is not None:
            return link_function("bond", as_curve(cls.bond), True, fields)
        return super().function(fields)


@functools.cache
def as_curve(bond: Portable) -> Portable:
    """A formula bond(r2, p) -> F/r, E as slope and energy."""

    @portable
    def curve(r2, p, data):
        strength, e = bond(r2, p)
        return -0.5 * strength, e

    return curve


class AngleStyle(LinkStyle):
    """Base of angle styles."""

    kind = ANGLE


class DihedralStyle(LinkStyle):
    """Base of dihedral styles."""

    kind = DIHEDRAL


class ImproperStyle(LinkStyle):
    """Base of improper styles."""

    kind = IMPROPER

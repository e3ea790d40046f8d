"""Tabulated bonds, angles and dihedrals.

    bond_style table linear|spline N        bond_coeff TYPE FILE KEYWORD
    angle_style table linear|spline N       angle_coeff TYPE FILE KEYWORD
    dihedral_style table linear|spline N    dihedral_coeff TYPE FILE KEYWORD

    KEYWORD                                  a section of the file; # begins a comment
    N 61 [FP f f] [EQ x]                     rows, dF/dx at both ends, the length or angle (degrees) at rest
    1 x energy force                         rows: bonds a length, angles degrees from 0 to 180 and forces per degree

Rows are splined to N evenly spaced nodes (the slopes of E at the ends are those of the rows, those of F are given or taken from
the first and last two rows). Between nodes E and F are interpolated each by itself, by lines or by splines again. Dihedrals
are cyclic and differ in some of this (dihedrals/table.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.bonded.base import link_function
from everlet.forces.pair.styles.table_file import Lines
from everlet.forces.pair.styles.table_spline import Spline
from everlet.portable import Portable, floor, least, lookup4, most, portable

if TYPE_CHECKING:
    from everlet.forces.bonded.base import LinkStyle
else:
    LinkStyle = object

BOTH_ENDS = ("FP", "EQ")
VALUES = {"N": 1, "FP": 2, "EQ": 1}  # how many follow a word of the parameter line


@dataclass
class Rows:
    """A section as in the file."""

    x: np.ndarray
    energy: np.ndarray
    force: np.ndarray
    ends: tuple[float, float]  # dF/dx
    rest: float | None = None
    marks: frozenset[str] = frozenset()  # words of the parameter line that have no value


def read_rows(path: str, keyword: str, known_words: tuple[str, ...] = BOTH_ENDS) -> Rows:
    """The section `keyword` of a file, with a parameter line of N and `known_words`."""
    lines, known = Lines(path), []
    while (words := lines.next()) is not None:
        name = words[0]
        try:
            count, ends, rest, marks = _header(lines.next(f"the parameter line of section '{name}'") or [], known_words)
            forces = "NOF" not in marks
            rows = [_row(lines.next(f"row {k + 1} of {count} of section '{name}'") or [], forces) for k in range(count)]
            if name == keyword:
                x, energy, force = np.array(rows).T
                if np.any(np.diff(x) <= 0.0):
                    raise InputError(f"the values of section '{name}' must increase", "sort its rows")
                slope = np.diff(force) / np.diff(x)
                return Rows(x, energy, force, ends or (float(slope[0]), float(slope[-1])), rest, marks)
        except InputError as error:
            raise lines.fail(error) from None
        known.append(name)
    raise InputError(f"{path} has no section '{keyword}'", f"sections: {', '.join(known) or 'none'}")


def _header(words: list[str], known: tuple[str, ...]
            ) -> tuple[int, tuple[float, float] | None, float | None, frozenset[str]]:
    rest, count, ends, equilibrium, marks = list(words), 0, None, None, set()
    usage = f"the parameter line is N count, and may have {', '.join(known)}"
    while rest:
        word = rest.pop(0)
        if word not in ("N", *known):
            raise InputError(f"unknown word '{word}' in the parameter line of a table", usage)
        if len(rest) < VALUES.get(word, 0):
            raise InputError(f"'{word}' lacks its value", usage)
        if word == "N":
            count = integer(rest.pop(0), "the number of rows")
        elif word == "FP":
            ends = number(rest.pop(0), "FP"), number(rest.pop(0), "FP")
        elif word == "EQ":
            equilibrium = number(rest.pop(0), "EQ")
        else:
            marks.add(word)
    if count < 2:
        raise InputError(f"a table needs 2 rows or more, found N {count}", usage)
    return count, ends, equilibrium, frozenset(marks)


def _row(words: list[str], forces: bool) -> tuple[float, ...]:
    if len(words) != 4 and (forces or len(words) != 3):
        raise InputError(f"a row has {len(words)} words", "a row is index x energy force, without force if there is NOF")
    x, energy, *force = (number(word) for word in words[1:])
    return x, energy, force[0] if forces else 0.0


@portable
def straight(at, p, data):
    """Nodes have E, its change to the next, F and its change."""
    t = (at - p.lo) * p.inverse
    k = floor(least(most(t, 0.0), p.last))
    e, de, f, df = lookup4(data, p.first + 4.0 * k)
    return -(f + (t - k) * df), e + (t - k) * de


@portable
def smooth(at, p, data):
    """Nodes have E and F, and their second derivatives times the square of the spacing, over 6."""
    t = (at - p.lo) * p.inverse
    k = floor(least(most(t, 0.0), p.last))
    e, e2, f, f2 = lookup4(data, p.first + 4.0 * k)
    later_e, later_e2, later_f, later_f2 = lookup4(data, p.first + 4.0 * k + 4.0)
    b = t - k
    a = 1.0 - b
    bend, later = (a * a - 1.0) * a, (b * b - 1.0) * b
    return (-(a * f + b * later_f + bend * f2 + later * later_f2), a * e + b * later_e + bend * e2 + later * later_e2)


FORMULAS = {"linear": straight, "spline": smooth}


def made_nodes(rows: Rows, way: str, count: int, unit: float) -> np.ndarray:
    """(count, 4) numbers of nodes of a section; values of its file times `unit` are those of formulas."""
    x = np.linspace(rows.x[0], rows.x[-1], count)
    energy = Spline(rows.x, rows.energy, -float(rows.force[0]), -float(rows.force[-1]))(x)
    force = Spline(rows.x, rows.force, *rows.ends)(x)
    if way == "linear":
        more = [np.append(np.diff(values), 0.0) for values in (energy, force)]
    else:
        splines = (Spline(x, energy, -float(force[0]), -float(force[-1])), Spline(x, force, *rows.ends))
        more = [np.array(one.second) * (x[1] - x[0]) ** 2 / 6.0 for one in splines]
    return np.stack([energy, more[0], force / unit, more[1] / unit], axis=1)


class Tabulated(LinkStyle):
    """Goes before the base class of a kind. `formulas`: curves of the kind by interpolation."""

    formulas: ClassVar[dict[str, Portable]] = FORMULAS
    shape: ClassVar[Portable | None] = None  # the energy, if it is not the number of the table itself: shape(number, …, p)
    unit = 1.0  # values of files times this are those of formulas
    words: tuple[str, ...] = BOTH_ENDS  # of parameter lines

    def settings(self, args: list[str]) -> None:
        usage = f"{self.kind.name}_style {self.name} linear|spline N"
        arguments(args, 2, 2, usage)
        if args[0] not in ("linear", "spline"):
            raise InputError(f"'{args[0]}' is no way to interpolate {self.kind.plural}", f"usage: {usage}")
        self.way, self.nodes = args[0], integer(args[1], "N")
        if self.nodes < 2:
            raise InputError(f"{self.kind.name}_style {self.name}: N is at least 2, found {self.nodes}", "correct it")
        self.files: dict[int, tuple[str, str]] = {}
        self.rows: dict[int, Rows] = {}

    def coeff(self, args: list[str]) -> None:
        arguments(args, 3, 3, f"{self.kind.name}_coeff TYPE FILE KEYWORD")
        rows = read_rows(args[1], args[2], self.words)
        self.check_rows(rows, args[1])
        for type in self.system.topology.type_range(self.kind, args[0]):
            self.files[type], self.rows[type], self.given[type] = (args[1], args[2]), rows, {}

    def check_rows(self, rows: Rows, path: str) -> None:
        """Refuse what the kind cannot use."""

    def nodes_of(self, rows: Rows) -> np.ndarray:
        """(N, 4) numbers of nodes, for `straight` or `smooth`."""
        return made_nodes(rows, self.way, self.nodes, self.unit)

    def numbers(self, types: list[int] | None = None) -> tuple[tuple[str, ...], np.ndarray]:
        _, table = super().numbers(types)
        found = np.zeros((len(table), 4))
        for place, type in enumerate(sorted(self.rows)):
            x = self.rows[type].x * self.unit
            found[type] = 4 * self.nodes * place, x[0], (self.nodes - 1) / (x[-1] - x[0]), self.nodes - 2
        return ("first", "lo", "inverse", "last"), found

    def data(self) -> np.ndarray:
        return np.concatenate([self.nodes_of(rows).ravel() for _, rows in sorted(self.rows.items())] or [np.zeros(4)])

    def function(self, fields: tuple[str, ...]) -> Portable:  # type: ignore[override]
        return link_function(self.kind.name, self.formulas[self.way], True, fields, self.shape)

    def rest(self, type: int) -> float:
        if type not in self.rows:
            raise InputError(f"no {self.kind.name}_coeff for {self.kind.name} type {type}", f"give {self.kind.name}_coeff")
        rows = self.rows[type]
        return float(rows.rest if rows.rest is not None else rows.x[rows.energy.argmin()])

    def data_coeffs(self, part: str = "") -> list[str]:
        return [f"{type} {file} {key}" for type, (file, key) in sorted(self.files.items())] if not part else []

    def state(self) -> dict[str, Any]:
        return {"style": self.name, "args": self.args, "files": [[type, *words] for type, words in self.files.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        for type, file, key in state["files"]:
            self.coeff([str(type), file, key])




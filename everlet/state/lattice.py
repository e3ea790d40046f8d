"""Lattices: a unit cell, its scale and its place in the box.

    lattice STYLE SCALE [origin x y z] [orient x|y|z i j k]* [spacing dx dy dz]
                        [a1 x y z] [a2 x y z] [a3 x y z] [basis x y z]*          (a and basis: custom only)
                        [triclinic/general]                                      (custom only)

STYLE is none, sc, bcc, fcc, hcp, diamond (3-d), sq, sq2, hex (2-d) or custom. SCALE is the lattice constant in length
units; in lj units it is the reduced density rho*, and the constant is (n_basis / (V_cell rho*))^(1/dimension).

A site with lattice coordinates s (units of the cell vectors a1 a2 a3) lies in the box at

    x = R (scale A s) + origin * spacing          A: columns a1 a2 a3     R: rows orient x, y, z, normalised

`spacing` is the unit of length along x, y, z of commands that measure in lattice units: the extent of the rotated and
scaled unit cell, or SCALE times the values given. Random streams are seeded by bits of positions, so the order of the
operations below is part of the contract: change it, and velocities change.

`triclinic/general` is for `create_box N NULL …`: a box along a1, a2, a3, which may point anywhere. Boxes have their first edge
along x and their second in the xy plane, so the lattice is turned that way (`turned`), about the corner of the box.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.state.units import Units

Vector = tuple[float, float, float]

UNIT: tuple[Vector, Vector, Vector] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
CORNER: Vector = (0.0, 0.0, 0.0)
WORDS = ("origin", "orient", "spacing", "a1", "a2", "a3", "basis", "triclinic/general")
USAGE = ("lattice STYLE SCALE [origin x y z] [orient x|y|z i j k] [spacing dx dy dz] [a1|a2|a3 x y z] [basis x y z] "
         "[triclinic/general]")


@dataclass(frozen=True)
class Kind:
    """A named unit cell: dimension (0: both), sites in cell fractions, cell vectors."""

    dimension: int
    basis: tuple[Vector, ...]
    cell: tuple[Vector, Vector, Vector] = UNIT


KINDS = {
    "none": Kind(0, ()),
    "custom": Kind(0, ()),
    "sc": Kind(3, (CORNER,)),
    "bcc": Kind(3, (CORNER, (0.5, 0.5, 0.5))),
    "fcc": Kind(3, (CORNER, (0.5, 0.5, 0.0), (0.5, 0.0, 0.5), (0.0, 0.5, 0.5))),
    "hcp": Kind(3, (CORNER, (0.5, 0.5, 0.0), (0.5, 5.0 / 6.0, 0.5), (0.0, 1.0 / 3.0, 0.5)),
                ((1.0, 0.0, 0.0), (0.0, math.sqrt(3.0), 0.0), (0.0, 0.0, math.sqrt(8.0 / 3.0)))),
    "diamond": Kind(3, (CORNER, (0.0, 0.5, 0.5), (0.5, 0.0, 0.5), (0.5, 0.5, 0.0),
                        (0.25, 0.25, 0.25), (0.25, 0.75, 0.75), (0.75, 0.25, 0.75), (0.75, 0.75, 0.25))),
    "sq": Kind(2, (CORNER,)),
    "sq2": Kind(2, (CORNER, (0.5, 0.5, 0.0))),
    "hex": Kind(2, (CORNER, (0.5, 0.5, 0.0)), ((1.0, 0.0, 0.0), (0.0, math.sqrt(3.0), 0.0), (0.0, 0.0, 1.0))),
}


class Lattice:
    """A lattice in a box.

    style                 name
    scale                 lattice constant, in length units (converted from the density in lj units)
    basis                 float64[n, 3], sites in cell fractions
    spacing               float64[3], lattice spacings along x, y, z

    >>> Lattice.parse("fcc 0.8442".split(), Units.named("lj"), 3).spacing.round(7).tolist()
    [1.6795962, 1.6795962, 1.6795962]
    """

    def __init__(self, style: str, scale: float, units: Units, dimension: int = 3, origin: Vector = CORNER,
                 orient: Sequence[Sequence[int]] = ((1, 0, 0), (0, 1, 0), (0, 0, 1)), spacing: Vector | None = None,
                 cell: tuple[Vector, Vector, Vector] | None = None, basis: Sequence[Vector] = (), general: bool = False):
        one_of("lattice style", style, KINDS)
        kind = KINDS[style]
        if kind.dimension not in (0, dimension):
            raise InputError(f"lattice {style} is for {kind.dimension}-d, but the simulation is {dimension}-d",
                             f"use one of {', '.join(k for k, v in KINDS.items() if v.dimension in (0, dimension))}")
        if not scale > 0.0 or not math.isfinite(scale):
            raise InputError(f"the lattice scale must be positive, found {scale:g}",
                             "in lj units it is the density, else the lattice constant")
        self.style, self.scale, self.dimension, self.general = style, scale, dimension, general
        self.basis = np.array(basis or kind.basis, np.float64).reshape(-1, 3)
        if style == "none":
            self.spacing = np.full(3, scale)
            return
        self.origin, self.orient, self.cell = origin, orient, cell or kind.cell
        self.given, self.corner = self.cell, np.zeros(3)
        self._check()
        if general:
            self.cell = turned(self.cell)
        if units.name == "lj":
            a1, a2, a3 = (np.array(a) for a in self.cell)
            cell_volume = abs(_dot(a1, _cross(a2, a3)))
            self.scale = math.pow(len(self.basis) / cell_volume / scale, 1.0 / dimension)
        self._transform()
        self.spacing = np.zeros(3)  # while it is zero, to_box leaves the origin out, as the extent needs it
        if spacing is None:
            corners = self.to_box(np.array(list(itertools.product((0.0, 1.0), repeat=3))))
            self.spacing = corners.max(axis=0) - corners.min(axis=0)
        else:
            self.spacing = np.array(spacing) * self.scale

    def _check(self) -> None:
        if len(self.basis) == 0:
            raise InputError("a custom lattice needs at least one basis site", "add: basis 0 0 0")
        if not ((self.basis >= 0.0) & (self.basis < 1.0)).all():
            raise InputError("lattice basis sites must be at least 0 and less than 1",
                             "give fractions of the unit cell")
        if not all(0.0 <= o < 1.0 for o in self.origin):
            raise InputError("the lattice origin must be at least 0 and less than 1", "give fractions of the unit cell")
        x, y, z = (np.array(row) for row in self.orient)
        if x @ y or y @ z or z @ x or not (x.any() and y.any() and z.any()):
            raise InputError("lattice orient vectors are not orthogonal", "for example: orient x 1 1 0 orient y -1 1 0")
        if np.cross(x, y) @ z <= 0:
            raise InputError("lattice orient vectors are not right-handed", "change the sign of one of them")
        a1, a2, a3 = self.cell
        if not _dot(np.array(a1), _cross(np.array(a2), np.array(a3))):
            raise InputError("lattice vectors a1, a2, a3 lie in one plane", "change one of the vectors")
        if self.general and (any(self.origin) or not np.array_equal(self.orient, np.eye(3))):
            raise InputError("a lattice with triclinic/general has neither origin nor orient",
                             "leave them out: the vectors a1, a2, a3 say where it points")
        if self.general and _dot(np.array(a1), _cross(np.array(a2), np.array(a3))) < 0.0:
            raise InputError("lattice vectors a1, a2, a3 are not right-handed", "exchange two of them")
        flat = (self.origin[2], x[2], y[2], z[0], z[1], a1[2], a2[2], a3[0], a3[1])
        if self.dimension == 2 and (any(flat) or self.basis[:, 2].any()):
            raise InputError("the lattice has parts along z, but the simulation is 2-d",
                             "keep origin, basis, orient x, orient y, a1, a2 in the plane and a3, orient z along z")

    def _transform(self) -> None:
        """The matrices of both directions; the inverse by cofactors."""
        self.primitive = np.array(self.cell).T
        (a, b, c), (d, e, f), (g, h, i) = self.primitive
        determinant = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
        cofactors = [[e * i - f * h, c * h - b * i, b * f - c * e],
                     [f * g - d * i, a * i - c * g, c * d - a * f],
                     [d * h - e * g, b * g - a * h, a * e - b * d]]
        self.inverse = np.array(cofactors) / determinant
        rows = np.array(self.orient, np.float64)
        lengths = np.sqrt(rows[:, 0] * rows[:, 0] + rows[:, 1] * rows[:, 1] + rows[:, 2] * rows[:, 2])
        self.rotation = rows / lengths[:, None]
        # are coordinates sums of several products? Then their last bits depend on who adds them up
        self.rounds = bool((np.count_nonzero([*self.rotation, *self.primitive], axis=1) > 1).any())

    def to_box(self, s: np.ndarray) -> np.ndarray:
        """Lattice coordinates (n, 3) as positions in the box."""
        shift = self.spacing * np.array(self.origin) + self.corner
        return _times(self.rotation, _times(self.primitive, s) * self.scale) + shift

    def to_lattice(self, x: np.ndarray) -> np.ndarray:
        """Positions (n, 3) as lattice coordinates."""
        shift = self.spacing * np.array(self.origin) + self.corner
        return _times(self.inverse, _times(self.rotation.T, np.asarray(x) - shift) / self.scale)

    def block(self, lo: Sequence[float], hi: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """The box of the cells from lo to hi: its corner, and its edges as rows. The lattice is turned about that corner."""
        start, edges = np.array(lo), np.array(hi) - np.array(lo)
        corner = self.scale * (start @ np.array(self.given))
        self.corner = corner - self.scale * (start @ np.array(self.cell))
        return corner, self.scale * edges[:, None] * np.array(self.cell)

    def __str__(self) -> str:
        return "Lattice spacing in x,y,z = {:.8g} {:.8g} {:.8g}".format(*self.spacing)

    @staticmethod
    def parse(args: list[str], units: Units, dimension: int) -> Lattice:
        """The lattice of a `lattice` command."""
        arguments(args, 2, None, USAGE)
        style, scale, words = args[0], number(args[1], "the lattice scale"), args[2:]
        one_of("lattice style", style, KINDS)
        if style == "none" and words:
            raise InputError("lattice none takes a scale and nothing else", "remove the options")
        origin, spacing, general = CORNER, None, False
        orient = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        cell, basis = list(KINDS[style].cell), []
        while words:
            word = words[0]
            if word == "triclinic/general":
                if style != "custom":
                    raise InputError(f"option triclinic/general is for lattice custom, not {style}", "use: lattice custom")
                general, words = True, words[1:]
                continue
            one_of("lattice option", word, WORDS)
            if word in ("a1", "a2", "a3", "basis") and style != "custom":
                raise InputError(f"option {word} is for lattice custom, not {style}", "use: lattice custom")
            if word == "orient":
                arguments(words[1:5], 4, 4, "orient x|y|z i j k")
                one_of("orient dimension", words[1], ("x", "y", "z"))
                orient["xyz".index(words[1])] = [integer(w, "an integer for orient") for w in words[2:5]]
                words = words[5:]
                continue
            arguments(words[1:4], 3, 3, f"{word} x y z")
            x, y, z = (number(w, f"a number for {word}") for w in words[1:4])
            if word == "origin":
                origin = (x, y, z)
            elif word == "spacing":
                if x <= 0.0 or y <= 0.0 or z <= 0.0:
                    raise InputError("lattice spacings must be positive",
                                     "leave out the option, or give positive numbers")
                spacing = (x, y, z)
            elif word == "basis":
                basis.append((x, y, z))
            else:
                cell[int(word[1]) - 1] = (x, y, z)
            words = words[4:]
        return Lattice(style, scale, units, dimension, origin, orient, spacing, (cell[0], cell[1], cell[2]), basis, general)


def turned(cell: tuple[Vector, Vector, Vector]) -> tuple[Vector, Vector, Vector]:
    """The same three vectors, turned so that the first lies along x and the second in the xy plane."""
    a, b, c = (np.array(v) for v in cell)
    along = a / math.sqrt(_dot(a, a))
    up = _cross(along, b)
    up = up / math.sqrt(_dot(up, up))
    side = _cross(up, along)
    x, y, z = ((_dot(v, along), _dot(v, side), _dot(v, up)) for v in (a, b, c))
    return (x[0], 0.0, 0.0), (y[0], y[1], 0.0), z


def _times(m: np.ndarray, x: np.ndarray) -> np.ndarray:
    """m x for every row of x, summed left to right: `@` may sum in another order and change the last bit."""
    return np.stack([m[k, 0] * x[:, 0] + m[k, 1] * x[:, 1] + m[k, 2] * x[:, 2] for k in range(3)], axis=1)


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])

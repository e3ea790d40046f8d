"""Tabulated dihedrals, all around the circle; forces/bonded/tabulated.py has the rest of the syntax.

    KEYWORD
    N 36 [NOF] [DEGREES|RADIANS]    the unit of angles, degrees by default, and of forces, which are per degree or radian
    1 -180.0 energy [force]         rows: angles that increase, over less than a whole turn; with NOF there are no forces

The N nodes are spread over the circle from 0 on. They get values of the rows by cyclic splines, or by lines if the style is
linear, and are interpolated in the same way. With NOF a spline's force is the slope of its energy; nodes of linear tables get
forces from the energies of both neighbours.
"""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError
from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.bonded.tabulated import Rows, Tabulated, smooth, straight
from everlet.forces.pair.styles.table_spline import Spline
from everlet.portable import floor, least, lookup4, most, portable, where

TURN = 2.0 * math.pi
MARGIN = 64  # rows on both sides of a turn: what ends of a spline do is halved at least from row to row


@portable
def lines(phi, p, data):
    return straight(where(phi < 0.0, phi + 6.283185307179586, phi), p, data)


@portable
def curves(phi, p, data):
    at = where(phi < 0.0, phi + 6.283185307179586, phi)
    slope, e = smooth(at, p, data)
    t = at * p.inverse
    k = floor(least(most(t, 0.0), p.last))
    before, before2, _, _ = lookup4(data, p.first + 4.0 * k)
    later, later2, _, _ = lookup4(data, p.first + 4.0 * k + 4.0)
    b = t - k
    a = 1.0 - b
    own = (later - before + (1.0 - 3.0 * a * a) * before2 + (3.0 * b * b - 1.0) * later2) * p.inverse
    return where(p.forces > 0.5, slope, own), e


def cyclic(x: np.ndarray, y: np.ndarray) -> Spline:
    """The spline of a function that repeats itself after a turn."""
    turns = 1 + MARGIN // len(x)
    shifts = np.arange(-turns, turns + 1)
    around = (x + TURN * shifts[:, None]).ravel()
    values = np.tile(y, len(shifts))
    return Spline(around, values, 0.0, 0.0)


@dihedral_style("table")
class Table(Tabulated, DihedralStyle):
    formulas = {"linear": lines, "spline": curves}
    words = ("NOF", "DEGREES", "RADIANS")

    def check_rows(self, rows: Rows, path: str) -> None:
        if {"DEGREES", "RADIANS"} <= rows.marks:
            raise InputError(f"{path}: angles are in DEGREES or in RADIANS, not in both", "leave out one of them")
        if rows.x[-1] - rows.x[0] >= self._turn(rows):
            raise InputError(f"{path}: the rows of a dihedral go from {rows.x[0]:g} to {rows.x[-1]:g}, a whole turn or more",
                             "leave out the last row, which is the first again")

    @staticmethod
    def _turn(rows: Rows) -> float:
        return TURN if "RADIANS" in rows.marks else 360.0

    def nodes_of(self, rows: Rows) -> np.ndarray:
        """(N + 1, 4): the last is the first again."""
        unit, step = TURN / self._turn(rows), TURN / self.nodes
        x, at = rows.x * unit, np.arange(self.nodes) * step
        if self.way == "linear":
            energy, force = (np.interp(at, x, y, period=TURN) for y in (rows.energy, rows.force / unit))
            if "NOF" in rows.marks:
                force = (np.roll(energy, 1) - np.roll(energy, -1)) / (2.0 * step)
            more = [np.roll(values, -1) - values for values in (energy, force)]
        else:
            turned = np.mod(at - x[0], TURN) + x[0]  # within the rows' own turn
            energy, force = (cyclic(x, y)(turned) for y in (rows.energy, rows.force / unit))
            middle = slice((1 + MARGIN // self.nodes) * self.nodes, (2 + MARGIN // self.nodes) * self.nodes)
            more = [cyclic(at, values).second[middle] * step**2 / 6.0 for values in (energy, force)]
        found = np.stack([energy, more[0], force, more[1]], axis=1)
        return np.concatenate([found, found[:1]])

    def numbers(self, types: list[int] | None = None) -> tuple[tuple[str, ...], np.ndarray]:
        _, table = DihedralStyle.numbers(self, types)
        found = np.zeros((len(table), 5))
        for place, type in enumerate(sorted(self.rows)):
            forces = float("NOF" not in self.rows[type].marks)
            found[type] = 4 * (self.nodes + 1) * place, 0.0, self.nodes / TURN, self.nodes - 1, forces
        return ("first", "lo", "inverse", "last", "forces"), found

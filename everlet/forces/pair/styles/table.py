"""Tabulated pair potential."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.coefficients import check_cutoff
from everlet.forces.pair.styles.table_file import read_section
from everlet.forces.pair.styles.table_spline import Grid, resample
from everlet.portable import Portable, both, floor, leading_bits, least, lookup, portable, single, where
from everlet.state.system import System

USAGE = "pair_style table lookup|linear|spline|bitmap N"
MOST_DATA = 2**24  # above this an index is no longer exact in single precision


@portable
def interval(r2, p):
    """Number of the interval that holds r2, as a whole float; 0 outside of the table, so that look-ups stay inside."""
    inside = both(r2 >= p.inner, r2 < p.outer)
    return least(floor(where(inside, (r2 - p.inner) * p.inverse, 0.0)), p.last)


@portable
def by_lookup(r2, p, data):
    at = p.start + 2.0 * interval(r2, p)
    inside = r2 >= p.inner
    return where(inside, lookup(data, at), p.nothing), where(inside, lookup(data, at + 1.0), p.nothing)


@portable
def by_line(r2, p, data):
    k = interval(r2, p)
    t = (r2 - (p.inner + k * p.delta)) * p.inverse
    at = p.start + 4.0 * k
    inside = r2 >= p.inner
    force = lookup(data, at) + t * lookup(data, at + 1.0)
    energy = lookup(data, at + 2.0) + t * lookup(data, at + 3.0)
    return where(inside, force, p.nothing), where(inside, energy, p.nothing)


@portable
def by_spline(r2, p, data):
    k = interval(r2, p)
    b = (r2 - (p.inner + k * p.delta)) * p.inverse
    a = 1.0 - b
    wa, wb = (a * a * a - a) * p.sixth, (b * b * b - b) * p.sixth
    at = p.start + 4.0 * k
    inside = r2 >= p.inner
    force = (a * lookup(data, at) + b * lookup(data, at + 4.0)
             + wa * lookup(data, at + 1.0) + wb * lookup(data, at + 5.0))
    energy = (a * lookup(data, at + 2.0) + b * lookup(data, at + 6.0)
              + wa * lookup(data, at + 3.0) + wb * lookup(data, at + 7.0))
    return where(inside, force, p.nothing), where(inside, energy, p.nothing)


@portable
def by_bits(r2, p, data):
    s = single(r2)
    k = least(leading_bits(s, p.shift) - p.first, p.last)
    at = p.start + 5.0 * where(both(r2 >= p.inner, r2 < p.outer), k, 0.0)
    t = s - lookup(data, at)
    inside = r2 >= p.inner
    force = lookup(data, at + 1.0) + t * lookup(data, at + 2.0)
    energy = lookup(data, at + 3.0) + t * lookup(data, at + 4.0)
    return where(inside, force, p.nothing), where(inside, energy, p.nothing)


METHODS = {"lookup": by_lookup, "linear": by_line, "spline": by_spline, "bitmap": by_bits}


@pair_style("table")
class Table(PairStyle):
    """E and F from a file, resampled at N points evenly spaced in r^2 and interpolated; bitmap: at 2^N points, more of them
    at short distances, with lines between them (table_bits.py).

    pair_style table lookup|linear|spline|bitmap N
    pair_coeff I J FILE KEYWORD [r_c]         r_c: length; default: the last distance of the table

    A pair that is closer than the first distance of its table gets a force that is not a number, which ends the run.
    """

    settings = {}
    mixable = False
    shiftable = False

    def __init__(self, system: System, args: list[str]):
        self.tables: list[Grid] = []
        self.starts: list[int] = []
        super().__init__(system, args)

    def configure(self, args: list[str]) -> None:
        arguments(args, 2, None, USAGE)
        if args[0] not in METHODS:
            raise InputError(f"unknown interpolation '{args[0]}'", f"use {', '.join(METHODS)}")
        if len(args) > 2:
            raise InputError(f"pair_style table option '{args[2]}' is not supported", "tables for long-range solvers")
        self.method, self.points = args[0], integer(args[1], "the number of points")
        if self.points < 2:
            raise InputError(f"a table needs 2 points or more, found {self.points}",
                             f"usage: {USAGE}")
        self.args, self.setting = list(args), {}
        # tables made for other settings are of no use
        self.explicit, self.tables, self.starts = {}, [], []

    def coeff(self, args: list[str]) -> None:
        arguments(args, 4, 5, "pair_coeff I J FILE KEYWORD [cut]")
        pairs = self.type_pairs(args[0], args[1])
        section = read_section(args[2], args[3])
        cut = number(args[4], "a cutoff") if len(args) == 5 else section.hi
        check_cutoff(cut)
        if not section.lo < cut <= section.hi:
            raise InputError(f"the cutoff {cut:g} is not inside table '{args[3]}' of {args[2]}",
                             f"its distances are {section.lo:g} to {section.hi:g}")
        if section.strays:
            self.warnings.append(f"{section.strays} of {len(section.r)} distances of table '{args[3]}' in {args[2]} "
                                 f"differ from its {section.spacing} spacing, which is used instead")
        self.tables.append(resample(section, self.method, self.points, cut))
        for pair in pairs:
            self.explicit[pair] = {"number": float(len(self.tables) - 1), "cut": cut}

    def init(self) -> None:
        sizes = [grid.rows.size for grid in self.tables]
        self.starts = [0, *np.cumsum(sizes).tolist()]
        if self.starts[-1] > MOST_DATA:
            raise InputError(f"the tables hold {self.starts[-1]} numbers, more than {MOST_DATA}", "use fewer points")
        self.data = np.concatenate([grid.rows.ravel() for grid in self.tables]) if self.tables else np.zeros(1)
        super().init()

    def table(self, number: float, cut: float) -> dict[str, float]:
        grid = self.tables[int(number)]
        common = {"inner": grid.inner, "outer": cut * cut, "start": float(self.starts[int(number)]), "nothing": nan}
        if self.method == "bitmap":
            return {**common, "shift": float(grid.shift), "first": grid.first, "last": len(grid.rows) - 1.0}
        delta = grid.delta
        return {**common, "delta": delta, "inverse": 1.0 / delta, "last": self.points - 2.0, "sixth": delta * delta / 6.0}

    def pair_function(self) -> Portable:
        return METHODS[self.method]

    def data_coeffs(self, unlike: bool = False) -> list[str]:
        """Tables are files of their own: a data file has no lines for them."""
        return []

    def state(self) -> dict[str, Any]:
        tables = [[grid.inner, grid.delta, grid.rows.tolist(), grid.shift, grid.first] for grid in self.tables]
        return {**super().state(), "tables": tables}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.tables = [Grid(inner, delta, np.array(rows), *bits) for inner, delta, rows, *bits in state["tables"]]

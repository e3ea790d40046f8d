"""Particles whose energy follows from the density of others around them, by a table (Moore 2016, Warren 2003).

E = pi r_c^4/84 sum_i U(rho_i),  U = integral of A by rho,  rho_i = sum_j 84/(5 pi r_c^3) (1 + 3x/2) (1 - x)^4,  x = r_ij/r_c

so that the force of a pair is (A(rho_i) + A(rho_j))/2 (1 + 3x) (1 - x)^3.

    pair_style multi/lucy linear|lookup N           pair_coeff * * FILE KEYWORD [r_c]

A section of FILE is as those of pair_style table: rows `index rho U A`. r_c is the last density if it is not given, as in the
reference. Splines through U (with the slope A at its ends) and A give values at N points at even distances in rho^2, between
which both are straight; `lookup`: those of the middle of each interval. Beyond the table its outermost values stay.
"""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.forces.manybody.eam.embedded import EmbeddedStyle, Functions
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.threebody.curves import Blocks, spot
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.styles.table_file import Section, read_section
from everlet.forces.pair.styles.table_spline import Spline
from everlet.portable import least, lookup4, most, portable, sqrt


@portable
def approach(r2, p):
    """Density, and minus its slope over r."""
    r = sqrt(r2)
    x = r * p.inverse
    rest = 1.0 - x
    cube = rest * rest * rest
    return p.peak * (1.0 + 1.5 * x) * cube * rest, 2.5 * p.peak * p.inverse * (1.0 + 3.0 * x) * cube / r, r2


@portable
def density(weight, steep, r2, p, data):
    return weight, weight


@portable
def embed(rho, p, data):
    k, t, _ = spot(rho * rho, p.start, data)
    energy, rise, slope, bend = lookup4(data, p.start + 4.0 * k + 4.0)
    u = most(least(t, 1.0), 0.0)
    return energy + u * rise, slope + u * bend


@portable
def pair(weight, steep, r2, p, data, slope_i, slope_j):
    return (slope_i + slope_j) * steep, 0.0 * weight


def sampled(section: Section, method: str, n: int) -> np.ndarray:
    """For each interval U, its rise, A and its rise."""
    rho, a = section.r, section.force
    slope = np.diff(a) / np.diff(rho)
    ends = section.slopes or (float(slope[0]), float(slope[-1]))
    energy_of, a_of = Spline(rho, section.energy, float(a[0]), float(a[-1])), Spline(rho, a, *ends)
    squared = np.linspace(rho[0] ** 2, rho[-1] ** 2, n)
    if method == "lookup":
        middle, none = np.sqrt(0.5 * (squared[1:] + squared[:-1])), np.zeros(n - 1)
        return np.stack([energy_of(middle), none, a_of(middle), none], 1)
    same = section.spacing == "RSQ" and len(rho) == n
    u, a = (section.energy, a) if same else (energy_of(np.sqrt(squared)), a_of(np.sqrt(squared)))
    return np.stack([u[:-1], np.diff(u), a[:-1], np.diff(a)], 1)


@pair_style("multi/lucy")
class MultiLucy(FileStyle, EmbeddedStyle):
    """E = pi r_c^4/84 sum_i U(rho_i), rho_i = sum_j 84/(5 pi r_c^3) (1 + 3x/2) (1 - x)^4, x = r_ij/r_c, U by a table.

    pair_style multi/lucy linear|lookup N
    pair_coeff * * FILE KEYWORD [r_c]
    """

    def configure(self, args: list[str]) -> None:
        arguments(args, 2, 2, "pair_style multi/lucy linear|lookup N")
        self.method = one_of("way to look up", args[0], ("linear", "lookup"))
        self.points = integer(args[1], "a number of values")
        if self.points < 2:
            raise InputError(f"pair_style multi/lucy: {args[1]} values", "give 2 or more")
        self.args, self.setting = list(args), {}

    def coeff(self, args: list[str]) -> None:
        arguments(args, 4, 5, "pair_coeff * * FILE KEYWORD [r_c]")
        if args[:2] != ["*", "*"]:
            raise InputError(f"pair_coeff {args[0]} {args[1]}: a table of {self.name} is for all types",
                             "give pair_coeff * * FILE KEYWORD")
        self.section = read_section(args[2], args[3])
        self.farthest = number(args[4], "a cutoff") if len(args) > 4 else float(self.section.r[-1])
        if self.farthest <= 0.0:
            raise InputError(f"pair_coeff {' '.join(args)}: a cutoff of {self.farthest:g}", "give a distance above zero")
        self.names, self.lines = {k: str(k) for k in range(1, self.system.ntypes + 1)}, [args]

    def functions(self) -> Functions:
        return approach, density, embed, pair

    def init(self) -> None:
        self.need_elements("FILE KEYWORD")
        n, blocks, reach = self.system.ntypes, Blocks(), self.farthest
        low, high = (float(self.section.r[k]) ** 2 for k in (0, -1))
        rows = sampled(self.section, self.method, self.points)
        start = blocks.add(low, high, math.pi * reach**4 / 84.0 * rows)
        self.data = blocks.data
        self.fields = ("inverse", "peak", "start")
        self.cutoffs, self.offset = np.full((n + 1, n + 1), reach), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, 3))
        self.table_array[:] = 1.0 / reach, 84.0 / (5.0 * math.pi * reach**3), start
        self.max_cutoff, self.pairs = reach, {}

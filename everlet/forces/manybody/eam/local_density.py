"""Energies of local densities, as coarse-grained models have them.

E = sum_k sum_i F_k(rho_ik) over atoms i of central types,  rho_ik = sum_j w_k(r_ij) over atoms j of neighbour types of k
w = 1 below R1, 0 beyond R2, between them c0 + c2 r^2 + c4 r^4 + c6 r^6, smooth at both ends
                                                    (Sanyal and Shell, J. Chem. Phys. 145, 034109)

    pair_style local/density    pair_coeff * * FILE

A file has two lines of comment, the number of densities k and of points of each F; then for each k: R1 R2, the central types,
the neighbour types, the first and the last density and the step between, the points of F. F is a cubic spline with slopes 0 at
its ends, and constant beyond.

Each density is a style of its own, as in a hybrid style.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everlet.errors import InputError, arguments
from everlet.forces.manybody.eam.embedded import EmbeddedStyle, Functions
from everlet.forces.manybody.eam.schemes import embedded_scheme
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.threebody.curves import Blocks, curve, spline_cubics
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.pair.schemes.hybrid import HybridScheme
from everlet.forces.potential_file import PotentialFile
from everlet.portable import most, portable, where
from everlet.registry import Registry
from everlet.state.system import System


@dataclass
class Density:
    """One of a file: where its weight begins to fall and ends, types, and F at equal distances."""

    inner: float
    outer: float
    central: set[int]
    others: set[int]
    low: float
    high: float
    points: np.ndarray


@functools.cache
def schemes_of(count: int) -> Registry[type[Scheme]]:
    """The ways to do the work of so many densities."""
    made: Registry[type[Scheme]] = Registry("scheme of local/density")
    for name in ("full", "half"):
        made(name)(HybridScheme.of((embedded_scheme[name],) * count))
    return made


@portable
def approach(r2, p):
    """w, and minus its slope over r."""
    x = most(r2, p.inner2)
    weight = p.c0 + x * (p.c2 + x * (p.c4 + x * p.c6))
    steep = -2.0 * (p.c2 + x * (2.0 * p.c4 + 3.0 * x * p.c6))
    return weight, where(r2 > p.inner2, steep, 0.0), r2


@portable
def density(weight, steep, r2, p, data):
    return p.at_i * weight, p.at_j * weight


@portable
def embed(rho, p, data):
    energy, slope = curve(rho, p.start, data)
    return p.central * energy, p.central * slope


@portable
def pair(weight, steep, r2, p, data, slope_i, slope_j):
    return (p.at_i * slope_i + p.at_j * slope_j) * steep, 0.0 * weight


class OneDensity(FileStyle, EmbeddedStyle):
    name = "local/density"

    def __init__(self, system: System, given: Density):
        super().__init__(system, [])
        self.one = given

    def functions(self) -> Functions:
        return approach, density, embed, pair

    def init(self) -> None:
        n, one, blocks = self.system.ntypes, self.one, Blocks()
        x = np.linspace(one.low, one.high, len(one.points))
        start = blocks.add(one.low, one.high, spline_cubics(x, one.points, 0.0, 0.0))
        self.data = blocks.data
        a, b = one.inner**2, one.outer**2
        numbers = np.array([b**2 * (b - 3.0 * a), 6.0 * a * b, -3.0 * (a + b), 2.0]) / (b - a) ** 3
        self.fields = ("inner2", "c0", "c2", "c4", "c6", "at_i", "at_j", "central", "start")
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        for i in range(1, n + 1):
            for j in range(1, n + 1):
                at_i, at_j = i in one.central and j in one.others, j in one.central and i in one.others
                self.table_array[i, j] = a, *numbers, at_i, at_j, i in one.central, start
                self.cutoffs[i, j] = one.outer if at_i or at_j else 0.0
        self.max_cutoff, self.pairs = float(self.cutoffs.max()), {}


def read(name: str, ntypes: int) -> list[Density]:
    file = PotentialFile(name)
    file.skip(2)

    def numbers(what: str, count: int) -> list[float]:
        words = file.words(what)
        if len(words) != count:
            raise file.fail(f"{len(words)} words where {what} should be")
        return [file.number(word, what) for word in words]

    def types(what: str) -> set[int]:
        found = {file.integer(word, what) for word in file.words(what)}
        if min(found) < 1 or max(found) > ntypes:
            raise file.fail(f"{what} {' '.join(str(k) for k in sorted(found))}", f"types go from 1 to {ntypes}")
        return found

    count, points = (int(one) for one in numbers("the numbers of densities and points", 2))
    if count < 1 or points < 2:
        raise file.fail(f"{count} densities of {points} points", "give 1 or more densities, 2 or more points")
    made = []
    for k in range(1, count + 1):
        inner, outer = numbers(f"R1 R2 of density {k}", 2)
        if not 0.0 <= inner < outer:
            raise file.fail(f"R1 is {inner:g} and R2 {outer:g}", "R2 is more than R1, which is 0 or more")
        central, others = types("the central types"), types("the neighbour types")
        low, high, step = numbers("the first and last density and the step", 3)
        if high <= low or abs(low + step * (points - 1) - high) > 1e-6 * (high - low):
            raise file.fail(f"{points} points from {low:g} to {high:g} in steps of {step:g}", "these do not agree")
        made.append(Density(inner, outer, central, others, low, high, file.table(points, f"F of density {k}")))
    file.end("the last density")
    return made


@pair_style("local/density")
class LocalDensity(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = embedded_scheme

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        self.parts: list[OneDensity] = []

    def coeff(self, args: list[str]) -> None:
        arguments(args, 3, 3, "pair_coeff * * FILE")
        if args[:2] != ["*", "*"]:
            raise InputError(f"pair_coeff {args[0]} {args[1]}: a file of {self.name} is for all types",
                             "give pair_coeff * * FILE")
        n = self.system.ntypes
        self.parts = [OneDensity(self.system, one) for one in read(args[2], n)]
        if len(self.parts) > 1:
            self.schemes = schemes_of(len(self.parts))  # type: ignore[misc]
        self.names, self.lines = {k: str(k) for k in range(1, n + 1)}, [args]

    def init(self) -> None:
        if not self.parts:
            raise InputError("no pair_coeff", "give pair_coeff * * FILE for pair style local/density")
        for part in self.parts:
            part.init()
        self.cutoffs = np.max([part.cutoffs for part in self.parts], axis=0)
        self.max_cutoff, self.pairs = float(self.cutoffs.max()), {}

    def pieces(self) -> list[tuple[str, PairStyle]]:
        self.ready()
        for part in self.parts:
            part.only, part.factor, part.weights = self.only, self.factor, self.weights
        return [(f" {k}" if len(self.parts) > 1 else "", part) for k, part in enumerate(self.parts, 1)]

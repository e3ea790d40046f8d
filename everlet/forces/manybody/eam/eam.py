"""Embedded-atom method with tables.

E = sum_i F_a(rho_i) + 1/2 sum_ij phi_ab(r_ij),  rho_i = sum_j f_b→a(r_ij)

    pair_style eam            pair_coeff I I FILE                 funcfl, one file per element
    pair_style eam/alloy      pair_coeff * * FILE El1 El2 …       setfl; one element for each atom type, NULL: none
    pair_style eam/fs         pair_coeff * * FILE El1 El2 …       Finnis-Sinclair: f depends on both elements
    pair_style eam/he         the same                            and densities may be negative

Masses are those of the file. Between the points of a table: the cubic through values and slopes, which are differences of
four neighbours. Beyond its end the density continues F in a straight line.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments
from everlet.forces.manybody.eam.embedded import EmbeddedStyle, Functions
from everlet.forces.manybody.eam.files import Eam, Funcfl, combine, pick, read_funcfl, read_setfl
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.pair.base import pair_style
from everlet.portable import floor, least, lookup4, lookup8, most, portable, rsqrt
from everlet.state.system import System

LINE = 8  # numbers of a cache line


@portable
def interval(r2, p):
    """1/r, the number of the interval that holds r, and where in it."""
    inverse_r = rsqrt(r2)
    x = r2 * inverse_r * p.inverse
    k = least(floor(x), p.last)
    return inverse_r, k, least(x - k, 1.0)


@portable
def value(t, a, b, c, d):
    return ((a * t + b) * t + c) * t + d


@portable
def quadratic(t, a, b, c):
    return (a * t + b) * t + c


@portable
def embed(rho, p, data):
    x = rho * p.inverse_rho
    k = most(least(floor(x), p.last_rho), 0.0)
    t = least(x - k, 1.0)
    a, b, c, d = lookup4(data, p.embedding + 4.0 * k)
    slope = quadratic(t, 3.0 * a, 2.0 * b, c) * p.inverse_rho
    return value(t, a, b, c, d) + slope * most(rho - p.rho_max, 0.0), slope


@portable
def embed_either_sign(rho, p, data):
    """The same for a table that begins at rho_min, before which F goes on in a straight line, too."""
    x = (rho - p.rho_min) * p.inverse_rho
    k = most(least(floor(x), p.last_rho), 0.0)
    t = most(least(x - k, 1.0), 0.0)
    a, b, c, d = lookup4(data, p.embedding + 4.0 * k)
    slope = quadratic(t, 3.0 * a, 2.0 * b, c) * p.inverse_rho
    return value(t, a, b, c, d) + slope * (most(rho - p.rho_max, 0.0) + least(rho - p.rho_min, 0.0)), slope


@portable
def repulsion(inverse_r, t, p, a, b, c, d):
    """phi and its slope, from z = r phi."""
    first = a * t + b
    second = first * t + c
    phi = (second * t + d) * inverse_r
    return phi, (((a * t + first) * t + second) * p.inverse - phi) * inverse_r


@portable
def density_alike(inverse_r, k, t, p, data):
    a, b, c, d = lookup4(data, p.density + 4.0 * k)
    here = value(t, a, b, c, d)
    return here, here


@portable
def pair_alike(inverse_r, k, t, p, data, slope_i, slope_j):
    fa, fb, fc, _, za, zb, zc, zd = lookup8(data, p.start + 8.0 * k)
    phi, phi_slope = repulsion(inverse_r, t, p, za, zb, zc, zd)
    slope = (slope_i + slope_j) * quadratic(t, fa, fb, fc) + phi_slope
    return -slope * inverse_r, phi


@portable
def density_unlike(inverse_r, k, t, p, data):
    ia, ib, ic, id, ja, jb, jc, jd = lookup8(data, p.density + 8.0 * k)
    return value(t, ia, ib, ic, id), value(t, ja, jb, jc, jd)


@portable
def pair_unlike(inverse_r, k, t, p, data, slope_i, slope_j):
    ia, ib, ic, _, ja, jb, jc, _ = lookup8(data, p.start + 12.0 * k)
    za, zb, zc, zd = lookup4(data, p.start + 12.0 * k + 8.0)
    phi, phi_slope = repulsion(inverse_r, t, p, za, zb, zc, zd)
    slope = slope_i * quadratic(t, ia, ib, ic) + slope_j * quadratic(t, ja, jb, jc) + phi_slope
    return -slope * inverse_r, phi


def cubics(values: np.ndarray, end: float | None = None) -> np.ndarray:
    """Coefficients a b c d of ((a t + b) t + c) t + d on each interval of a table, float64[points - 1, 4]. `end`: the slope at
    the last point."""
    f = values
    s = np.empty_like(f)
    s[0], s[-1] = f[1] - f[0], f[-1] - f[-2] if end is None else end
    s[1], s[-2] = 0.5 * (f[2] - f[0]), 0.5 * (f[-1] - f[-3])
    s[2:-2] = ((f[:-4] - f[4:]) + 8.0 * (f[3:-1] - f[1:-3])) / 12.0
    rise = np.diff(f)
    return np.stack([s[:-1] + s[1:] - 2.0 * rise, 3.0 * rise - 2.0 * s[:-1] - s[1:], s[:-1], f[:-1]], axis=1)


def slopes(cubic: np.ndarray) -> np.ndarray:
    """Coefficients a b c of the derivative (a t + b) t + c on each interval, and 0."""
    return cubic[:, [0, 1, 2, 3]] * [3.0, 2.0, 1.0, 0.0]


class TabulatedEam(FileStyle, EmbeddedStyle):
    """What the three styles share."""

    costly = True  # its lookups
    negative: ClassVar[bool] = False  # densities may be

    def tables(self) -> Eam:
        raise NotImplementedError

    def set_mass(self, type: int, mass: float) -> None:
        self.system.masses[type] = mass

    def functions(self) -> Functions:
        embedding = embed_either_sign if self.negative else embed
        alike = (interval, density_alike, embedding, pair_alike)
        return alike if self.alike else (interval, density_unlike, embedding, pair_unlike)

    def init(self) -> None:
        n = self.system.ntypes
        types = set(range(1, n + 1)) if self.only is None else {k for pair in self.only for k in pair}
        missing = [str(k) for k in sorted(types) if k not in self.names]
        if missing:
            raise InputError(f"no pair_coeff for types {', '.join(missing)}", f"pair style {self.name} needs all of them")
        names = {k: self.names[k] if k in types else "NULL" for k in range(1, n + 1)}
        found = self.tables()
        used = sorted({name for name in names.values() if name != "NULL"})
        self.alike = len(used) == 1 and "NULL" not in names.values()
        blocks, starts = [np.zeros(LINE)], {}  # the first record is that of no element
        size = LINE

        def put(key: Any, *columns: np.ndarray) -> None:
            nonlocal size
            rows = np.concatenate(columns, axis=1)
            starts[key] = size
            blocks.append(np.pad(rows.ravel(), (0, -rows.size % LINE)))  # the next one begins on a cache line, too
            size += blocks[-1].size

        for a in used:
            put(a, cubics(found.embedding[a]))
            for b in used:
                made = [cubics(found.density[pair]) for pair in ([(b, a)] if self.alike else [(b, a), (a, b)])]
                put((a, b, "density"), *made)
                put((a, b), *(slopes(one) / found.dr for one in made), cubics(found.product[a, b]))
        self.data = np.concatenate(blocks)
        self.fields = ("start", "density", "inverse", "last", "embedding", "inverse_rho", "last_rho", "rho_max",
                       *(("rho_min",) if self.negative else ()))
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        for i in range(1, n + 1):
            for j in range(1, n + 1):
                a, b = names[i], names[j]
                last = len(next(iter(found.product.values()))) - 2
                self.table_array[i, j] = (starts.get((a, b), 0), starts.get((a, b, "density"), 0), 1.0 / found.dr,
                                          last if (a, b) in starts else 0, starts.get(a, 0), 1.0 / found.drho,
                                          len(found.embedding[a]) - 2 if a in starts else 0, found.rho_max.get(a, np.inf),
                                          *([found.rho_min] if self.negative else []))
                self.cutoffs[i, j] = found.cut if (a, b) in starts else 0.0
        self.max_cutoff = found.cut
        self.pairs = {}


@pair_style("eam")
class EamPure(TabulatedEam):
    by_type = True

    def __init__(self, system: System, args: list[str]):
        self.funcfl: dict[str, Funcfl] = {}
        super().__init__(system, args)

    def coeff(self, args: list[str]) -> None:
        arguments(args, 3, 3, "pair_coeff I I FILE")
        types = [i for i, j in self.type_pairs(args[0], args[1]) if i == j]
        if not types:
            raise InputError(f"pair_coeff {args[0]} {args[1]}: pair style eam takes one file for each type",
                             "give pair_coeff I I FILE; pairs of different types follow from those")
        self.funcfl[args[2]] = read_funcfl(args[2], self.system.units.name)
        for i in types:
            self.names[i] = args[2]
            self.set_mass(i, self.funcfl[args[2]].mass)
        self.lines.append(args)

    def given(self) -> set[tuple[int, int]]:
        return {(i, i) for i in self.names}

    def tables(self) -> Eam:
        return combine({name: self.funcfl[name] for name in sorted(set(self.names.values()))})


@pair_style("eam/alloy")
class EamAlloy(TabulatedEam):
    finnis_sinclair = False

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        self.found = read_setfl(args[2], self.system.units.name, self.finnis_sinclair, negative=self.negative)
        pick(self.found, args[3:], args[2])
        self.names = names
        for i, name in self.names.items():
            if name != "NULL":
                self.set_mass(i, self.found.masses[name])
        self.lines = [args]

    def tables(self) -> Eam:
        return self.found


@pair_style("eam/fs")
class EamFs(EamAlloy):
    finnis_sinclair = True


@pair_style("eam/he")
class EamHe(EamFs):
    negative = True

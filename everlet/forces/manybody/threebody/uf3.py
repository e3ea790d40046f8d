"""UF3: energies of pairs and of angles as cubic splines of distances.

E = sum_i sum_{j != i} V2(r_ij) + sum_i sum_{j<k} V3(r_ij, r_ik, r_jk)
V2 = sum_n c_n B_n(r),  V3 = sum_lmn c_lmn B_l(r_ij) B_m(r_ik) B_n(r_jk);  0 outside of the knots

    pair_style uf3 2|3    pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none; 2: without V3

Files: uf3_file.py. Pairs reach farther than angles and are far more, so that the two sums are styles of their own, as in a
hybrid style: the first is a potential of pairs, in which each counts twice, the second a linear three-body style.

Of V3 the file's coefficients are kept as cubics of r_jk, whose four numbers are read for 4 x 4 functions of r_ij and r_ik.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.errors import InputError, arguments
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.summed import SummedStyle
from everlet.forces.manybody.threebody.base import ThreeBodyStyle, Values
from everlet.forces.manybody.threebody.scheme import ThreeBody
from everlet.forces.manybody.threebody.splines import (
    Axis,
    any_basis,
    any_spot,
    cubic,
    even_basis,
    even_spot,
    four_cubics,
)
from everlet.forces.manybody.threebody.uf3_file import Block, UF3File
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.forces.pair.schemes.hybrid import HybridScheme
from everlet.forces.pair.schemes.lists import Full
from everlet.portable import Portable, both, lookup4, portable, sqrt, where
from everlet.registry import Registry
from everlet.state.system import System

MOST_DATA = 1 << 24  # above this an index is no longer exact in single precision
NEAR = 0.5  # a first knot of pairs beyond this distance is told
uf3_scheme: Registry[type[Scheme]] = Registry("scheme of pair style uf3")
uf3_scheme("full")(HybridScheme.of((Full, ThreeBody)))


# a bin like those of Axis.bin_table: places behind the end of a row have parameters 0, and must find a number of an interval
NOWHERE = np.array([0.0, 0.0, 1e30, 0.0])


class Numbers:
    """The numbers of all splines of a style, one behind the other; rows of four begin at multiples of four."""

    def __init__(self, even: bool):
        self.even = even
        self.parts = [NOWHERE]
        self.size = NOWHERE.size

    def add(self, array: np.ndarray) -> float:
        begin = self.size
        self.parts.append(array.reshape(-1))
        self.size += array.size
        if self.size > MOST_DATA:
            raise InputError("the splines of pair style uf3 have more numbers than can be indexed", "use fewer knots")
        return float(begin)

    def spot(self, axis: Axis, tag: str) -> Values:
        """Parameters of `spot` for an axis."""
        if self.even:
            at, inverse, last = 0.0, 1.0 / axis.gap, axis.last
        else:
            at, inverse, last = self.add(axis.bin_table()), axis.bins / (axis.high - axis.low), axis.bins - 1
        return {f"at{tag}": at, f"low{tag}": axis.low, f"inverse{tag}": inverse, f"last{tag}": float(last)}

    def rate(self, axis: Axis) -> float:
        """Slopes with u times this are slopes with the distance."""
        return 1.0 / axis.gap if self.even else 1.0

    @property
    def data(self) -> np.ndarray:
        return np.concatenate(self.parts)


class SplinePairs(FileStyle):
    """The first sum. `blocks` are those of its pairs of types."""

    name = "uf3 pairs"
    schemes: ClassVar[Registry[type[Scheme]]] = pair_scheme
    whole = True

    def __init__(self, system: System):
        super().__init__(system, [])
        self.blocks: dict[tuple[int, int], Block] = {}

    def take(self, names: dict[int, str], file: UF3File) -> None:
        own = [(k, name) for k, name in names.items() if name != "NULL"]
        self.names = names
        self.blocks = {(i, j): file.pairs[a, b] for i, a in own for j, b in own}

    def init(self) -> None:
        n, axes = self.system.ntypes, [block.axes[0] for block in self.blocks.values()]
        numbers, made = Numbers(all(axis.even for axis in axes)), dict[int, Values]()
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        for block in self.blocks.values():
            if id(block) not in made:
                made[id(block)] = self._parameters(block, numbers)
        self.even, self.data = numbers.even, numbers.data
        self.fields = tuple(next(iter(made.values()), {"start": 0.0}))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        for (i, j), block in self.blocks.items():
            self.cutoffs[i, j] = min(block.cutoffs[0], block.axes[0].high)
            self.table_array[i, j] = list(made[id(block)].values())
        self.max_cutoff = float(self.cutoffs.max())
        self.pairs = {(i, j): {} for i, j in self.blocks if i <= j}

    @staticmethod
    def _parameters(block: Block, numbers: Numbers) -> Values:
        axis = block.axes[0]
        cubics = axis.cubics(numbers.even)
        windows = np.lib.stride_tricks.sliding_window_view(2.0 * block.coefficients, 4)  # a pair counts from both sides
        start = numbers.add(np.einsum("kj,kjp->kp", windows, cubics))
        return {"start": start, "rate": numbers.rate(axis), **numbers.spot(axis, "")}

    @property
    def pair(self) -> Portable:  # type: ignore[override]
        return even_pair if self.even else any_pair


def of_pairs(spot: Portable) -> Portable:
    @portable
    def pair(r2, p, data):
        r = sqrt(r2)
        k, u = spot(r, p.at, p.low, p.inverse, p.last, data)
        a, b, c, d = lookup4(data, p.start + 4.0 * k)
        energy, slope = cubic(u, a, b, c, d)
        inside = r >= p.low
        return where(inside, -p.rate * slope / r, 0.0), where(inside, energy, 0.0)

    return pair


even_pair, any_pair = of_pairs(even_spot), of_pairs(any_spot)


@portable
def sheet(data, at, u, b0, b1, b2, b3, s0, s1, s2, s3):
    """Sums over four functions of one distance, each with a cubic of u: the value, its slopes with that distance and with u."""
    c, dc, d, dd, e, de, f, df = four_cubics(data, at, u)
    return (b0 * c + b1 * d + b2 * e + b3 * f, s0 * c + s1 * d + s2 * e + s3 * f, b0 * dc + b1 * dd + b2 * de + b3 * df)


def of_angles(spot: Portable, basis: Portable) -> Portable:
    @portable
    def angle(r, u, du, s, v, dv, c, p, data):
        t = sqrt(r * r + s * s - 2.0 * r * s * c)
        i, x = spot(r, p.at1, p.low1, p.inverse1, p.last1, data)
        j, y = spot(s, p.at2, p.low2, p.inverse2, p.last2, data)
        k, z = spot(t, p.at3, p.low3, p.inverse3, p.last3, data)
        a0, a1, a2, a3, q0, q1, q2, q3 = basis(i, x, p.basis1, p.inverse1, data)
        b0, b1, b2, b3, s0, s1, s2, s3 = basis(j, y, p.basis2, p.inverse2, data)
        at = p.start + i * p.line + k * p.row + 4.0 * j
        v0, w0, z0 = sheet(data, at, z, b0, b1, b2, b3, s0, s1, s2, s3)
        v1, w1, z1 = sheet(data, at + p.line, z, b0, b1, b2, b3, s0, s1, s2, s3)
        v2, w2, z2 = sheet(data, at + 2.0 * p.line, z, b0, b1, b2, b3, s0, s1, s2, s3)
        v3, w3, z3 = sheet(data, at + 3.0 * p.line, z, b0, b1, b2, b3, s0, s1, s2, s3)
        near = both(both(r >= p.low1, r < p.high1), both(s >= p.low2, s < p.high2))
        inside = both(both(near, both(t >= p.low3, t < p.high3)), u * v > 0.0)
        value = a0 * v0 + a1 * v1 + a2 * v2 + a3 * v3
        along_r = q0 * v0 + q1 * v1 + q2 * v2 + q3 * v3
        along_s = a0 * w0 + a1 * w1 + a2 * w2 + a3 * w3
        pull = where(inside, p.rate * (a0 * z0 + a1 * z1 + a2 * z2 + a3 * z3) / t, 0.0)  # dV/dt over t
        return (where(inside, value, 0.0), where(inside, along_r, 0.0) + pull * (r - s * c),
                where(inside, along_s, 0.0) + pull * (s - r * c), where(inside, -r * s * pull, 0.0))

    return angle


@portable
def taken(r, p):
    """1 in slots that have a neighbour; tables have 0 in others."""
    return 1.0 + 0.0 * r, 0.0 * r


@portable
def no_bond(r, u, du, zeta, p):
    return zeta, 0.0 * r, 1.0 + 0.0 * zeta


even_angle, any_angle = of_angles(even_spot, even_basis), of_angles(any_spot, any_basis)


class SplineAngles(ThreeBodyStyle):
    """The second sum."""

    name = "uf3 angles"
    linear = symmetric = fading = True

    def __init__(self, system: System):
        super().__init__(system, [])
        self.even = True

    def take(self, names: dict[int, str], file: UF3File) -> None:
        own = sorted(set(names.values()) - {"NULL"})
        blocks = {(a, b, c): file.triples[a, b, c] for a in own for b in own for c in own}
        self.names = names
        self.even = all(axis.even for block in blocks.values() for axis in block.axes)
        numbers = Numbers(self.even)
        self.triples = {triple: self._parameters(block, numbers) for triple, block in blocks.items()}
        self.data = numbers.data

    @staticmethod
    def _parameters(block: Block, numbers: Numbers) -> Values:
        """Coefficients l, m, n of distances 1, 2 and 3 become numbers [l, interval of 3, m, power of its u]."""
        c, found = block.coefficients, Values()
        for k, axis in enumerate(block.axes):
            found |= numbers.spot(axis, str(k + 1))
            found[f"high{k + 1}"] = min(block.cutoffs[k], axis.high)
            if k < 2 and numbers.even:
                c = np.moveaxis(np.tensordot(axis.equal(), c, axes=(1, k)), 0, k)
            if k < 2:
                found[f"basis{k + 1}"] = 0.0 if numbers.even else numbers.add(axis.cubics(False))
        axis = block.axes[2]
        windows = np.lib.stride_tricks.sliding_window_view(c, 4, axis=2)
        table = np.einsum("lmkj,kjp->lkmp", windows, axis.cubics(numbers.even))
        found |= {"start": numbers.add(table), "line": float(table[0].size), "row": float(table[0, 0].size)}
        return {**found, "rate": numbers.rate(axis)}

    def pair_cutoff(self, a: str, b: str) -> float:
        return max(values["high1"] for (i, j, _), values in self.triples.items() if (i, j) == (a, b))

    arm, bond = taken, no_bond

    @property
    def angle(self) -> Portable:  # type: ignore[override]
        return even_angle if self.even else any_angle


@pair_style("uf3")
class UF3(SummedStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = uf3_scheme

    def configure(self, args: list[str]) -> None:
        usage = "pair_style uf3 2|3"
        arguments(args, 1, 1, usage)
        if args[0] not in ("2", "3"):
            raise InputError(f"uf3 of {args[0]} bodies", f"usage: {usage}")
        self.args, self.setting = list(args), {}
        self.sums: list[SplinePairs | SplineAngles] = [SplinePairs(self.system)]
        if args[0] == "3":
            self.sums.append(SplineAngles(self.system))
        else:
            self.schemes = pair_scheme  # type: ignore[misc]

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        file = UF3File(args[2], self.system.units.name)
        own = sorted(set(names.values()) - {"NULL"})
        missing = [f"2B {a} {b}" for a in own for b in own if a <= b and (a, b) not in file.pairs]
        if len(self.sums) > 1:
            missing += [f"3B {a} {b} {c}" for a in own for b in own for c in own if b <= c and (a, b, c) not in file.triples]
        if missing:
            raise InputError(f"{file.file.path} has no block {missing[0]}", f"pair style uf3 {self.args[0]} needs all pairs"
                             f"{' and triples' * (len(self.sums) > 1)} of its elements: {len(missing)} blocks are missing")
        for one in self.sums:
            one.take(names, file)
        first = max((file.pairs[a, b].axes[0].low for a in own for b in own), default=0.0)
        if first > NEAR:
            self.warnings.append(f"pairs nearer than {first:g} have no energy in {file.file.path}: its knots begin there. "
                                 "A repulsion beside it keeps atoms apart: pair_style hybrid/overlay uf3 … zbl …")
        self.names, self.lines = names, [args]

    def init(self) -> None:
        if len(self.sums) > 1:
            self.need_newton()
        super().init()

    def parts(self) -> dict[str, PairStyle]:
        labels = ("",) if len(self.sums) == 1 else (" pairs", " angles")
        return dict(zip(labels, self.sums, strict=True))

    @property
    def kind(self) -> str:
        return f"{self.name} {self.args[0]}"

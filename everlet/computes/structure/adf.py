"""Angular distribution functions.

    compute ID group adf N [I J K RJ_LOW RJ_HIGH RK_LOW RK_HIGH] … [ordinate degree|radian|cosine]

A row for each of N bins: its middle, then for each triple the density of angles at I between J and K (its sum times the width
of a bin is 1), and the mean number of them at an atom up to the outer edge of the bin. J is an atom of these types with RJ_LOW
< r <= RJ_HIGH, K likewise; all are of the group. Without triples: all atoms up to the cutoff of the pair style.
"""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.nearby import Nearby, listed_reach
from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.portable import Constants, acos, f64, i32, i64, portable, sqrt
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group adf N [I J K RJ_LOW RJ_HIGH RK_LOW RK_HIGH] … [ordinate degree|radian|cosine]"
ORDINATES = {"degree": (0.0, 180.0), "radian": (0.0, math.pi), "cosine": (-1.0, 1.0)}


@portable
def count_angles(i, x: f64[:, 4], kind: i32[:], mask: i32[:], neigh: i32[:], count: i32[:], si: i64, sk: i64, out: i32[:],
                 bit: i32, bins: i64, low: f64, inverse: f64, factor: f64, triples: i64, types: i32[:], reach: f64[:]):
    """Count angles j i k in bins, each once, whichever of the two is J; behind the bins of a triple, atoms i with neighbours.

    types: first and last of I, J, K; reach: squares of the four distances. factor: of the angle, 0: its cosine is counted.
    """
    rows = i64(count[i]) if mask[i] & bit else i64(0)
    for t in range(triples):
        if kind[i] >= types[6 * t] and kind[i] <= types[6 * t + 1]:
            if rows > 0:
                atomic_add(out, t * (bins + 1) + bins, i32(1))  # noqa: F821
            for q in range(rows):
                j = i64(neigh[i * si + q * sk])
                ax = x[j, 0] - x[i, 0]
                ay = x[j, 1] - x[i, 1]
                az = x[j, 2] - x[i, 2]
                a = ax * ax + ay * ay + az * az
                there = mask[j] & bit
                one_j = kind[j] >= types[6 * t + 2] and kind[j] <= types[6 * t + 3] and a > reach[4 * t] and a <= reach[
                    4 * t + 1]
                one_k = kind[j] >= types[6 * t + 4] and kind[j] <= types[6 * t + 5] and a > reach[4 * t + 2] and a <= reach[
                    4 * t + 3]
                for p in range(q if there and (one_j or one_k) else i64(0)):
                    k = i64(neigh[i * si + p * sk])
                    bx = x[k, 0] - x[i, 0]
                    by = x[k, 1] - x[i, 1]
                    bz = x[k, 2] - x[i, 2]
                    b = bx * bx + by * by + bz * bz
                    other_j = kind[k] >= types[6 * t + 2] and kind[k] <= types[6 * t + 3] and b > reach[4 * t] and b <= reach[
                        4 * t + 1]
                    other_k = kind[k] >= types[6 * t + 4] and kind[k] <= types[6 * t + 5] and b > reach[4 * t + 2] and (
                        b <= reach[4 * t + 3])
                    if mask[k] & bit and (one_j and other_k or one_k and other_j):
                        c = (ax * bx + ay * by + az * bz) / (sqrt(a) * sqrt(b))
                        c = min(max(c, -1.0), 1.0)
                        value = c
                        if factor > 0.0:
                            value = factor * acos(c)
                        place = min(i64((value - low) * inverse), bins - 1)
                        atomic_add(out, t * (bins + 1) + place, i32(1))  # noqa: F821


@compute_style("adf")
class ADF(Nearby):
    special = "gone"
    body = count_angles
    gives = Gives(array=INTENSIVE)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words = list(args)
        arguments(words, 1, None, USAGE)
        self.bins = integer(words.pop(0), "the number of bins")
        if self.bins < 1:
            raise InputError(f"compute adf with {self.bins} bins", "use 1 or more")
        self.ordinate = "degree"
        if "ordinate" in words:
            place = words.index("ordinate")
            arguments(words[place:], 2, 2, USAGE)
            self.ordinate, words = words[place + 1], words[:place]
            one_of("ordinate of compute adf", self.ordinate, ORDINATES)
        if len(words) % 7:
            raise InputError(f"compute adf: a triple has 7 words, found {len(words)} in all", f"usage: {USAGE}")
        self.types: list[int] = []
        self.reach: list[float] = []
        for first in range(0, len(words), 7):
            self._triple(words[first:first + 7])
        self.all = not self.types
        if self.all:
            self.types = [1, system.ntypes] * 3
        self.triples = len(self.types) // 6
        self.gives = Gives(array=INTENSIVE, width=1 + 2 * self.triples)
        self.limits, self.squares = Constants(len(self.types), system.space, "int32"), Constants(4 * self.triples, system.space)
        self.limits.set(self.types)

    def _triple(self, words: list[str]) -> None:
        for word in words[:3]:
            known = self.system.type_range(word)
            self.types += [known[0], known[-1]]
        r = [number(word, "a distance") for word in words[3:]]
        if not (0.0 <= r[0] < r[1] < math.inf and 0.0 <= r[2] < r[3] < math.inf):
            raise InputError(f"compute adf: distances from {words[3]} to {words[4]} and from {words[5]} to {words[6]}",
                             "give two ranges, 0 <= LOW < HIGH")
        self.reach += r

    def array(self) -> np.ndarray:
        system, bins, triples = self.system, self.bins, self.triples
        if self.all:
            if system.pair is None:
                raise InputError(f"compute {self.id}: there is no pair style to take the cutoff from", "give triples")
            self.reach = [0.0, system.pair_cutoff] * 2
        self.squares.set([r * r for r in self.reach])
        self.cutoff = max(*self.reach, listed_reach(system))  # atoms count that have neighbours in lists
        low, high = ORDINATES[self.ordinate]
        width = (high - low) / bins
        factor = {"degree": 180.0 / math.pi, "radian": 1.0, "cosine": 0.0}[self.ordinate]
        out = self.over_rows(self.out(triples * (bins + 1), np.int32), self.bit, bins, low, 1.0 / width, factor, triples,
                             self.limits.view, self.squares.view)
        found = system.ranks.total(out.get()[: triples * (bins + 1)].astype(np.int64).reshape(triples, bins + 1))
        columns = [low + (np.arange(bins) + 0.5) * width]
        for row in found:
            total, atoms = max(row[:-1].sum(), 1), max(row[-1], 1)
            columns += [row[:-1] / (total * width), np.cumsum(row[:-1] / atoms)]
        return np.stack(columns, axis=1)

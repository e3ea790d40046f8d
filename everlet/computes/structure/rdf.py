"""Radial distribution functions and running coordination numbers.

    compute ID group rdf N [I J] … [cutoff R]           I, J: types, as 2, *, 1*3; without any: all atoms

A row for each of N bins of the distances up to the cutoff (of the pair style, or R): its middle, then for each I J the
distribution g(r) of J around I, and the mean number of J within the outer edge of the bin. Both atoms are of the group.
"""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.nearby import Nearby
from everlet.errors import InputError, arguments, integer, number
from everlet.forces.pair.rows import between
from everlet.portable import f64, i32, i64, portable, sqrt
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

PLACES = 1 << 15  # of all copies of the bins, where many threads count


@portable
def count_distances(i, x: f64[:, 4], kind: i32[:], mask: i32[:], neigh: i32[:], count: i32[:], si: i64, sk: i64, out: i32[:],
                    bit: i32, bins: i64, inverse: f64, kinds: i64, copies: i64):
    """Count the neighbours of atom i in bins of their distance, for each two types, and the atom itself by its type; a copy of
    the bins counts up to 2^31. Atoms take copies in turns, so that few want the same place at the same time."""
    base = i % copies * (kinds * kinds * bins + kinds)
    if mask[i] & bit:
        atomic_add(out, base + kinds * kinds * bins + i64(kind[i]), i32(1))  # noqa: F821
    for q in range(i64(count[i]) if mask[i] & bit else i64(0)):
        j = i64(neigh[i * si + q * sk])
        _, _, _, r2 = between(i, j, x)
        r = sqrt(r2) * inverse
        if r < f64(bins) and mask[j] & bit:
            atomic_add(out, base + (i64(kind[i]) * kinds + i64(kind[j])) * bins + i64(r), i32(1))  # noqa: F821


@compute_style("rdf")
class RDF(Nearby):
    special = "gone"
    body = count_distances
    gives = Gives(array=INTENSIVE)
    asks_run = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words = list(args)
        arguments(words, 1, None, "compute ID group rdf N [I J] ... [cutoff R]")
        self.bins = integer(words.pop(0), "the number of bins")
        if self.bins < 1:
            raise InputError(f"compute rdf with {self.bins} bins", "use 1 or more")
        self.given = 0.0
        if "cutoff" in words:
            place = words.index("cutoff")
            arguments(words[place:], 2, 2, "compute ID group rdf N [I J] ... cutoff R")
            self.given, words = number(words[place + 1], "a cutoff"), words[:place]
            if not 0.0 < self.given < math.inf:
                raise InputError(f"compute rdf: the cutoff is {self.given:g}", "give a distance above 0")
        if len(words) % 2:
            raise InputError(f"compute rdf: types come in pairs, found {len(words)}", "give I J for each")
        types = [list(system.type_range(word)) for word in words or ["*", "*"]]
        self.pairs = list(zip(types[::2], types[1::2], strict=True))
        self.gives = Gives(array=INTENSIVE, width=1 + 2 * len(self.pairs))

    def array(self) -> np.ndarray:
        system, bins = self.system, self.bins
        self.cutoff = self.given or system.pair_cutoff
        if self.cutoff == 0.0:
            raise InputError(f"compute {self.id}: there is no pair style to take the cutoff from", "give: cutoff R")
        kinds, width = system.ntypes + 1, self.cutoff / bins
        size = kinds * kinds * bins + kinds
        copies = max(1, PLACES // size) if system.space.many_threads else 1
        out = self.over_rows(self.out(copies * size, np.int32), self.bit, bins, bins / self.cutoff, kinds, copies)
        counted = system.ranks.total(out.get()[: copies * size].reshape(copies, size).sum(axis=0, dtype=np.int64))
        found, atoms = counted[:-kinds].reshape(kinds, kinds, bins), counted[-kinds:]
        edges = width * np.arange(bins + 1)
        whole, volume = system.need_box().lengths, 4.0 / 3.0 * math.pi * edges**3
        if system.dimension == 2:
            whole, volume = whole[:2], math.pi * edges**2
        part = np.diff(volume) / np.prod(whole)
        columns = [edges[:-1] + 0.5 * width]
        for one, other in self.pairs:
            count, others = atoms[one].sum(), atoms[other].sum()
            ideal = others - atoms[np.intersect1d(one, other)].sum() / count if count else 0.0  # an atom is none of its others
            mean = found[np.ix_(one, other)].sum(axis=(0, 1)) / max(count, 1)
            columns += [mean / (part * ideal) if ideal else 0.0 * mean, np.cumsum(mean) if ideal else 0.0 * mean]
        return np.stack(columns, axis=1)

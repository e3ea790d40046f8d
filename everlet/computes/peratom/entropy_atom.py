"""Entropies of atoms by the pairs that they are in (Piaggi and Parrinello, J. Chem. Phys. 147, 114112, 2017)."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.nearby import listed_reach
from everlet.computes.peratom.near_points import Spread, pairs_within, positive
from everlet.errors import InputError, arguments, unknown, yes_no
from everlet.neighbor.surroundings import surroundings
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "compute ID group entropy/atom SIGMA CUTOFF [avg yes CUTOFF2 | avg no] [local yes|no]"
WIDE = 3  # a pair counts in so many bins on each side of its own


@compute_style("entropy/atom")
class EntropyAtom(Compute):
    """compute ID group entropy/atom SIGMA CUTOFF [avg yes CUTOFF2 | avg no] [local yes|no], in units of k_B:

        s_i = -2 pi rho sum over r of w [g ln g - g + 1] r^2 SIGMA,     r = 0, SIGMA … CUTOFF, w = 1/2 at both ends, else 1
        g(r) = 1 / (4 pi rho r^2) sum over j of exp(-(r - r_ij)^2 / 2 SIGMA^2) / sqrt(2 pi SIGMA^2),  |r - r_ij| of a few SIGMA

    avg: the mean over the atom and its neighbours within CUTOFF2. rho: atoms per volume; local yes: within the cutoff of the
    pair style and the neighbour skin, about the atom.
    """

    gives = Gives(columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        self.sigma, self.cutoff = positive(args[0], "a width"), positive(args[1], "a cutoff")
        self.near, self.close_by, words = 0.0, False, list(args[2:])
        while words:
            word = words.pop(0)
            if word not in ("avg", "local"):
                raise unknown("keyword of compute entropy/atom", word, ("avg", "local"), f"usage: {USAGE}")
            arguments(words[:1], 1, 1, USAGE)
            chosen = yes_no(words.pop(0), f"compute entropy/atom {word}")
            if word == "local":
                self.close_by = chosen
            elif chosen:
                arguments(words[:1], 1, 1, USAGE)
                self.near = positive(words.pop(0), "a cutoff")
        self.spread = Spread(self)

    def peratom(self) -> np.ndarray:
        system = self.system
        wide = listed_reach(system) if self.close_by else 0.0
        if self.close_by and wide == 0.0:
            raise InputError(f"compute {self.id}: there is no pair style whose cutoff makes local densities", "define one")
        reach = max(self.cutoff, self.near, wide)
        points = surroundings(system, reach, "unlisted")
        rows, i, j, d = pairs_within(points, int(self.bit), reach)
        r = np.sqrt((d**2).sum(axis=1))
        density = np.full(points.n, system.natoms / system.need_box().volume)
        if self.close_by:
            density = np.bincount(i[r < wide], minlength=points.n) / (4.0 / 3.0 * math.pi * wide**3)
        found = np.zeros(points.n)
        close = r < self.cutoff
        found[rows] = self._entropies(i[close], r[close], density)[rows]
        if not self.near:
            return found
        whole = self.spread(points, found)
        close = r < self.near
        count = np.bincount(i[close], minlength=points.n)
        mean = (found + np.bincount(i[close], whole[j[close]], minlength=points.n)) / (1 + count)
        return np.where(np.isin(np.arange(points.n), rows), mean, 0.0)

    def _entropies(self, i: np.ndarray, r: np.ndarray, density: np.ndarray) -> np.ndarray:
        """Of all atoms, by pairs of atom i at the distance r."""
        sigma, n = self.sigma, len(density)
        bins = int(self.cutoff / sigma) + 1
        at, own = sigma * np.arange(bins), np.floor(r / sigma).astype(np.int64)
        sums = np.zeros((n, bins))
        for shift in range(-WIDE, WIDE + 1):
            bin = own + shift
            there = (bin >= 0) & (bin < bins)
            np.add.at(sums, (i[there], bin[there]), np.exp(-0.5 * ((at[bin[there]] - r[there]) / sigma) ** 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            g = sums / (4.0 * math.pi * density[:, None] * at**2 * math.sqrt(2.0 * math.pi) * sigma)
            inside = np.where(g > 1e-10, g * np.log(g) - g, 0.0)
        inside[:, 0] = 0.0
        ends = np.ones(bins)
        ends[0] = ends[-1] = 0.5
        return -2.0 * math.pi * density * sigma * (((inside + 1.0) * at**2) @ ends)

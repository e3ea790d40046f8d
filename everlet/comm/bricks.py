"""Bricks: the box cut into equal parts, one for each rank, in fractions of its edges. Tilted boxes are cut alike.

Ranks are counted with z fastest: rank = (a Py + b) Pz + c. Which rank owns an atom follows from its fractions alone, so
every atom has one owner and all ranks agree.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from everlet.errors import InputError
from everlet.state.box import Box

Place = tuple[int, int, int]


def choose_grid(ranks: int, box: Box, asked: Place = (0, 0, 0)) -> Place:
    """Numbers of bricks along the three edges: those asked for (0: free), and of the rest the least surface in all."""
    allowed = [p for p in _factors(ranks) if all(want in (0, have) for want, have in zip(asked, p, strict=True))]
    if box.dimension == 2:
        allowed = [p for p in allowed if p[2] == 1]
    if not allowed:
        words = " ".join(str(count) if count else "*" for count in asked)
        why = " in 2-d, where Pz must be 1" if box.dimension == 2 else ""
        raise InputError(f"processors {words} does not fit {ranks} MPI ranks{why}",
                         "use: processors * * *, or start another number of ranks")
    across = box.ghost_fraction(1.0)  # one over the distance between opposite faces
    return min(allowed, key=lambda p: (float(np.dot(p, across)), p))


def _factors(ranks: int) -> list[Place]:
    divisors = [a for a in range(1, ranks + 1) if ranks % a == 0]
    return [(a, b, ranks // (a * b)) for a, b in itertools.product(divisors, repeat=2) if (ranks // a) % b == 0]


@dataclass(frozen=True)
class Target:
    """Atoms that `rank` needs from us, moved by `shift` boxes: those whose fractions lie in [low, high)."""

    rank: int
    shift: tuple[int, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Bricks:
    """A grid of bricks; `rank` is the one that asks."""

    grid: Place
    rank: int

    def place(self, rank: int) -> Place:
        _, y, z = self.grid
        return rank // (y * z), rank // z % y, rank % z

    def part(self, rank: int) -> np.ndarray:
        """Corners of a rank's brick in fractions, float64[2, 3]."""
        place, grid = np.array(self.place(rank)), np.array(self.grid)
        return np.array([place / grid, (place + 1) / grid])

    @cached_property
    def own(self) -> np.ndarray:
        return self.part(self.rank)

    @property
    def ranks(self) -> int:
        return int(np.prod(self.grid))

    def targets(self, reach: np.ndarray, periodic: tuple[bool, ...], upper: bool) -> list[Target]:
        """Who may need atoms of ours within `reach` (fractions) of its brick, in the order of ranks.

        `upper`: of the two ways in which a pair of atoms on two ranks, or of an atom and an image, can meet, only one:
        the shifts that come first, x before y before z, and without a shift the atoms of the higher rank.
        """
        found = []
        for rank in range(self.ranks):
            part = self.part(rank)
            along = [self._shifts(part[:, k], k, float(reach[k]), periodic[k]) for k in range(3)]
            for shift in itertools.product(*along):
                if shift == (0, 0, 0) and (rank == self.rank or (upper and self.rank < rank)):
                    continue
                if upper and shift < (0, 0, 0):
                    continue
                low = part[0] - reach - shift
                high = part[1] + reach - shift
                whole = (np.array(self.grid) == 1) & (np.array(shift) == 0)  # nothing to test along such an edge
                low[whole], high[whole] = -np.inf, np.inf
                found.append(Target(rank, shift, tuple(low), tuple(high)))
        return found

    def _shifts(self, part: np.ndarray, axis: int, reach: float, periodic: bool) -> list[int]:
        """Whole boxes by which our brick can be moved to come within reach of another, along one edge."""
        if reach == 0.0 and self.grid[axis] == 1:
            return [0]
        low, high = self.own[:, axis]
        slack = 1e-9  # of rounding: a target too many sends nothing
        first = int(np.ceil(part[0] - reach - high - slack)) if periodic else 0
        last = int(np.floor(part[1] + reach - low + slack)) if periodic else 0
        return [k for k in range(first, last + 1)
                if low + k < part[1] + reach + slack and high + k > part[0] - reach - slack]

"""Cuts: how the box is divided among ranks, in fractions of its edges. Tilted boxes are cut alike.

One form for all divisions: a tree. Each node cuts its part of the box at a right angle to one axis (of the fractions)
into a lower and an upper part, and each part is cut again or belongs to a rank. Equal bricks, shifted bricks and
recursive bisection (balance.py) are ways to make such a tree. Which rank owns an atom follows from its fractions alone,
so every atom has one owner and all ranks agree; what is beyond the box belongs to the outermost part on that side: a
wrapped atom can lie on the upper face by rounding, and its ghosts must be looked for there.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.state.box import Box

Place = tuple[int, int, int]
SLACK = 1e-9  # of rounding: a target too many sends nothing


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
    upper: bool  # of the two ways in which a pair of atoms can meet, this is the one that counts


class Cuts:
    """A tree of cuts.

    nodes     float64[n, 4]         axis, cut, what is below it, what is above it: a node, or -1 - rank; the first is the root
    corners   float64[ranks, 2, 3]  of each rank's part
    edges     the faces of bricks along each axis, if the parts are a grid of bricks; else None
    """

    def __init__(self, ranks: int, edges: list[np.ndarray] | None = None):
        self.rows: list[list[float]] = []
        self.corners = np.zeros((ranks, 2, 3))
        self.edges = edges

    @property
    def ranks(self) -> int:
        return len(self.corners)

    @property
    def nodes(self) -> np.ndarray:
        return np.array(self.rows or [[0.0, 0.5, -1.0, -1.0]])  # one rank has both sides of any cut

    def node(self, axis: int, cut: float) -> int:
        """A new node; its two sides are to be set."""
        self.rows.append([axis, cut, 0, 0])
        return len(self.rows) - 1

    def leaf(self, rank: int, low: np.ndarray, high: np.ndarray) -> int:
        """A rank's part; what a node writes for it."""
        self.corners[rank] = low, high
        return -1 - rank

    def hang(self, parent: int, side: int, child: int) -> None:
        """Set what is below (side 0) or above (1) a node's cut; the root has no parent."""
        if parent >= 0:
            self.rows[parent][2 + side] = child

    def state(self) -> dict[str, Any]:
        """For restart files."""
        edges = None if self.edges is None else [faces.tolist() for faces in self.edges]
        return {"rows": self.rows, "corners": self.corners.tolist(), "edges": edges}

    @classmethod
    def restored(cls, state: dict[str, Any]) -> Cuts:
        made = cls(len(state["corners"]), None if state["edges"] is None else [np.array(faces) for faces in state["edges"]])
        made.rows, made.corners = [list(row) for row in state["rows"]], np.array(state["corners"])
        return made

    @classmethod
    def bricks(cls, edges: list[np.ndarray], order: str = "zyx") -> Cuts:
        """A grid of bricks between the given faces (from 0 to 1 along each axis); ranks go fastest along order[0]."""
        counts = [len(faces) - 1 for faces in edges]
        made = cls(int(np.prod(counts)), edges)
        stride, step = [0, 0, 0], 1
        for letter in order:
            axis = "xyz".index(letter)
            stride[axis], step = step, step * counts[axis]

        def divide(first: list[int], last: list[int]) -> int:
            """The bricks [first, last): cut in the middle along the first axis that has several."""
            axis = next((k for k in range(3) if last[k] - first[k] > 1), -1)
            if axis < 0:
                low, high = ([edges[k][place[k]] for k in range(3)] for place in (first, last))
                return made.leaf(int(np.dot(first, stride)), np.array(low), np.array(high))
            middle = (first[axis] + last[axis]) // 2
            here = made.node(axis, edges[axis][middle])
            end, begin = list(last), list(first)
            end[axis] = begin[axis] = middle
            made.hang(here, 0, divide(first, end))
            made.hang(here, 1, divide(begin, last))
            return here

        divide([0, 0, 0], counts)
        return made

    @classmethod
    def equal(cls, grid: Place, order: str = "zyx") -> Cuts:
        """Bricks of one size."""
        return cls.bricks([np.arange(count + 1) / count for count in grid], order)

    def targets(self, rank: int, reach: np.ndarray, periodic: tuple[bool, ...]) -> list[Target]:
        """Who may need atoms of a rank within `reach` (fractions) of its part, in the order of ranks.

        A pair of atoms on two ranks, or of an atom and an image, can meet in two ways. `upper` is one of them: with the
        shifts that come first, x before y before z, and without a shift with the atoms of the higher rank.
        """
        low, high = self.corners[rank]
        whole = (self.corners[:, 0] == 0.0) & (self.corners[:, 1] == 1.0)
        least, most = self.corners[:, 0] - reach - SLACK, self.corners[:, 1] + reach + SLACK
        alone = (reach == 0.0) & whole & whole[rank]  # no images along such an edge
        still = ~np.array(periodic) | alone
        first = np.where(still, 0, np.floor(least - high).astype(int) + 1)  # shifts k with low + k < most, high + k > least
        last = np.where(still, 0, np.ceil(most - low).astype(int) - 1)
        near = (still & (low < most) & (high > least)) | (~still & (first <= last))
        found = []
        for other in np.flatnonzero(near.all(axis=1)):
            for shift in itertools.product(*(range(first[other, k], last[other, k] + 1) for k in range(3))):
                if shift == (0, 0, 0) and other == rank:
                    continue
                upper = shift > (0, 0, 0) or (shift == (0, 0, 0) and other < rank)
                free = whole[other] & (np.array(shift) == 0)  # nothing to test along such an edge
                begin = np.where(free, -np.inf, self.corners[other, 0] - reach - shift)
                end = np.where(free, np.inf, self.corners[other, 1] + reach - shift)
                found.append(Target(int(other), shift, tuple(begin), tuple(end), bool(upper)))
        return found

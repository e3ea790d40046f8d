"""Places of cuts that give every rank as much work: shifted faces of bricks, and recursive bisection.

Weights of atoms are whole numbers here, so that sums over ranks are exact and all ranks find the same cuts. `parts` are
the ranks that have a part of the atoms: all of them inside a run, one between runs, when every rank has all atoms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.comm.cuts import Cuts

PLACES = 32  # into which a search divides its range at a time
ROUNDS = 10  # 32**10 places are as many as float64 can tell apart
HEAVY = 2.0**52  # all weights together, if they are not 1
THIN = 1e-9  # no part is thinner, as a part of what is cut
UNEVEN = 0.01  # of the weight of a part: what may be on the wrong side of a cut across its longest side


def whole_weights(parts: Any, weights: np.ndarray) -> np.ndarray:
    """Weights as whole numbers; as 1 if all of them are, else scaled so that no digits are lost that matter."""
    if not parts.any(not (weights == 1.0).all()):
        return weights.astype(np.int64)
    total = float(parts.sum(weights.sum()))
    return np.rint(weights * (HEAVY / total)).astype(np.int64) if total > 0 else np.ones(len(weights), np.int64)


def imbalance(loads: np.ndarray) -> float:
    """The heaviest load by the mean; 1 is perfect."""
    return float(loads.max() / loads.mean()) if loads.any() else 1.0


def _between(values: np.ndarray, weights: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Weight below the first of some places in order, between each two of them, and from the last on."""
    index = np.searchsorted(places, values, side="right")
    return np.bincount(index, weights, len(places) + 1).astype(np.int64)


class Search:
    """Looks for cuts, several at a time.

    values[k], weights[k]   of the atoms of search k
    goals[k]                the weight that should be below cut k
    low, high               where the cut may be
    """

    def __init__(self, parts: Any, values: list[np.ndarray], weights: list[np.ndarray], goals: Any, low: Any, high: Any):
        self.parts, self.values, self.goals = parts, values, np.array(goals, float)
        self.low, self.high = np.array(low, float), np.array(high, float)
        self.begin, self.end = self.low.copy(), self.high.copy()  # the cut is in between
        self.left = list(zip(values, weights, strict=True))  # atoms that are in between too
        self.under = np.zeros(len(values), np.int64)  # weight of those below, on this rank
        self.better, self.off = self.begin, self.goals  # an end of the range; how far the weight below it is from the goal

    def narrow(self) -> bool:
        """One round: the range of each cut becomes one of its PLACES parts. False if that was the last that matters."""
        many = len(self.values)
        places = self.begin[:, None] + (self.end - self.begin)[:, None] * (np.arange(PLACES + 1) / PLACES)
        places[:, -1] = self.end
        mine = [_between(*held, row)[:-1] for held, row in zip(self.left, places, strict=True)]
        here = np.cumsum(np.array(mine).reshape(many, PLACES + 1), axis=1) + self.under[:, None]
        below = self.parts.total(here)
        rows = np.arange(many)
        found = np.clip((below <= self.goals[:, None]).sum(axis=1) - 1, 0, PLACES - 1)
        self.begin, self.end = places[rows, found], places[rows, found + 1]
        ends = np.abs(np.stack([below[rows, found], below[rows, found + 1]]) - self.goals)
        self.better, self.off = np.where(ends[1] < ends[0], self.end, self.begin), ends.min(axis=0)
        self.under = here[rows, found]
        for k, (values, weights) in enumerate(self.left):
            inside = (values >= self.begin[k]) & (values < self.end[k])
            self.left[k] = values[inside], weights[inside]
        return bool((below[rows, found + 1] - below[rows, found] > 1).any())

    def cuts(self) -> np.ndarray:
        """The better end of each range, moved to the middle between the atoms on both sides; then small motions of atoms
        in a crystal plane do not take them to another rank."""
        near = np.full((2, len(self.values)), -np.inf)
        for k, values in enumerate(self.values):
            lower = values < self.better[k]
            near[0, k] = values[lower].max(initial=-np.inf)
            near[1, k] = -values[~lower].min(initial=np.inf)
        below, above = self.parts.max(near) * [[1.0], [-1.0]]
        below, above = np.maximum(below, self.low), np.minimum(above, self.high)
        middle = 0.5 * (below + above)
        cut = np.where((below < middle) & (middle < above), middle, self.better)
        thin = THIN * (self.high - self.low)
        return np.clip(cut, self.low + thin, self.high - thin)


def shifted(parts: Any, s: np.ndarray, weights: np.ndarray, edges: list[np.ndarray], axis: int, rounds: int, stop: float
            ) -> tuple[list[np.ndarray], int]:
    """Faces of bricks moved along one axis, so that all layers between them weigh the same; and the rounds it took.

    A round narrows down where each face may be to one of PLACES. The last is that in which no layer is heavier than
    `stop` times the mean.
    """
    count = len(edges[axis]) - 1
    total = int(parts.total(np.array([weights.sum()], np.int64))[0])
    if count == 1 or not total:
        return edges, 0
    many, values = count - 1, s[:, axis]
    search = Search(parts, [values] * many, [weights] * many, total * np.arange(1, count) / count, [0.0] * many, [1.0] * many)
    used, faces = 0, edges[axis]
    while used < min(rounds, ROUNDS):
        more = search.narrow()
        used += 1
        faces = np.concatenate([[0.0], np.maximum.accumulate(search.cuts()), [1.0]])
        if imbalance(parts.total(_between(values, weights, faces[1:-1]))) <= stop or not more:
            break
    return [faces if k == axis else old for k, old in enumerate(edges)], used


@dataclass
class _Part:
    """A part of the box that is still to be divided among `count` ranks, and its atoms here."""

    first: int
    count: int
    low: np.ndarray
    high: np.ndarray
    rows: np.ndarray
    parent: int = -1
    side: int = 0


def bisected(parts: Any, s: np.ndarray, weights: np.ndarray, ranks: int, lengths: np.ndarray) -> Cuts:
    """Recursive bisection: the box is cut in two so that each half has the work of half of the ranks, and each half again.

    A part is cut across the longest side of what its atoms occupy, unless they cannot be shared evenly there (planes of a
    crystal) and can be along another axis. `lengths`: between opposite faces of the box; 0: never cut there.
    """
    made = Cuts(ranks)
    axes = np.flatnonzero(lengths)
    level = [_Part(0, ranks, np.zeros(3), np.ones(3), np.arange(len(s)))]
    while level:
        for part in level:
            if part.count == 1:
                made.hang(part.parent, part.side, made.leaf(part.first, part.low, part.high))
        level = [part for part in level if part.count > 1]
        if not level:
            break
        total = parts.total(np.array([weights[part.rows].sum() for part in level], np.int64))
        share = np.array([part.count // 2 / part.count for part in level])
        tries = [(k, axis) for k in range(len(level)) for axis in axes]
        search = Search(parts, [s[level[k].rows, axis] for k, axis in tries], [weights[level[k].rows] for k, _ in tries],
                        [total[k] * share[k] for k, _ in tries], [level[k].low[axis] for k, axis in tries],
                        [level[k].high[axis] for k, axis in tries])
        for _ in range(ROUNDS):
            if not search.narrow():
                break
        shape = (len(level), len(axes))
        off, cuts = search.off.reshape(shape), search.cuts().reshape(shape)
        extent = _extents(parts, level, s)[:, axes] * lengths[axes]
        divided = []
        for k, part in enumerate(level):
            good = off[k] <= max(UNEVEN * total[k], off[k].min())
            best = int(np.argmax(np.where(good, extent[k], -1.0)))
            axis, cut = int(axes[best]), float(cuts[k, best])
            if not total[k]:
                cut = part.low[axis] + share[k] * (part.high[axis] - part.low[axis])
            node = made.node(axis, cut)
            made.hang(part.parent, part.side, node)
            high, low = part.high.copy(), part.low.copy()
            high[axis] = low[axis] = cut
            lower, half = s[part.rows, axis] < cut, part.count // 2
            divided += [_Part(part.first, half, part.low, high, part.rows[lower], node, 0),
                        _Part(part.first + half, part.count - half, low, part.high, part.rows[~lower], node, 1)]
        level = divided
    return made


def _extents(parts: Any, level: list[_Part], s: np.ndarray) -> np.ndarray:
    """What the atoms of each part occupy along each axis; the whole part if they are fewer than two."""
    reach = np.full((len(level), 2, 3), -np.inf)
    for k, part in enumerate(level):
        if len(part.rows):
            reach[k] = -s[part.rows].min(axis=0), s[part.rows].max(axis=0)
    found = parts.max(reach).sum(axis=1)
    return np.array([extent if extent.max() > 0.0 else part.high - part.low
                     for extent, part in zip(found, level, strict=True)])

"""The nearest neighbours of atoms on the host, for computes that look at their shape: seldom asked, and of few neighbours."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.computes.base import Compute
from everlet.errors import InputError, arguments, number, unknown
from everlet.neighbor.surroundings import Surroundings, surroundings
from everlet.state.operation import Gives
from everlet.state.system import System


def pairs_within(points: Surroundings, bit: int, reach: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows of atoms of a group, and pairs: atom i of the group, its neighbour j (an atom or ghost), x_j - x_i (m, 3)."""
    x, _, mask, neigh, count, si, sk = points.rows()
    place, number = x.get().reshape(-1, x.width)[:, :3], count.get()[: points.n].astype(np.int64)
    rows = np.flatnonzero(mask.get()[: points.n] & bit)
    counts = number[rows]
    i = np.repeat(rows, counts)
    k = np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts)
    j = neigh.get()[i * si + k * sk].astype(np.int64)
    d = place[j] - place[i]
    inside = (d**2).sum(axis=1) < reach * reach
    return rows, i[inside], j[inside], d[inside]


class NearPoints(Compute):
    """Base: values of atoms of the group out of where their neighbours within `cutoff` (0: that of the pair style) are."""

    cutoff = 0.0

    def reach(self) -> float:
        found = self.cutoff or self.system.pair_cutoff
        if found == 0.0:
            raise InputError(f"compute {self.id}: there is no pair style to take the cutoff from", "define one")
        return found

    def near(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Rows of atoms of the group, and of their neighbours: how many (m,), x_j - x_i (m, most, 3) from the nearest to the
        farthest, and squared distances (m, most), infinite beyond the last."""
        points, reach = surroundings(self.system, self.reach(), "unlisted"), self.reach()
        x, _, mask, neigh, count, si, sk = points.rows()
        place, number, table = x.get().reshape(-1, x.width)[:, :3], count.get()[: points.n], neigh.get()
        rows = np.flatnonzero(mask.get()[: points.n] & self.bit)
        most = int(number[rows].max(initial=0))
        k = np.arange(most)
        listed = k < number[rows][:, None]
        j = np.where(listed, table[np.where(listed, rows[:, None] * si + k * sk, 0)], 0)
        d = place[j] - place[rows][:, None]
        r2 = (d**2).sum(axis=2)
        r2 = np.where(listed & (r2 < reach * reach), r2, np.inf)
        order = np.argsort(r2, axis=1, kind="stable")
        d, r2 = np.take_along_axis(d, order[:, :, None], 1), np.take_along_axis(r2, order, 1)
        inside = np.isfinite(r2).sum(axis=1)
        most = int(inside.max(initial=0))
        return rows, inside, d[:, :most], r2[:, :most]


class WithinCutoff(NearPoints):
    """compute ID group NAME R: a number of each atom of where its neighbours within R are."""

    name: ClassVar[str]
    gives = Gives(columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, f"compute ID group {self.name} R")
        self.cutoff = positive(args[0], "a cutoff")


def positive(word: str, what: str) -> float:
    value = number(word, what)
    if value <= 0.0:
        raise InputError(f"{what} of {word} is too small", "give more than 0")
    return value


def cutoff_word(style: str, words: list[str]) -> float:
    """[cutoff R], all words of a compute; 0 without."""
    if not words:
        return 0.0
    if words[0] != "cutoff":
        raise unknown(f"keyword of compute {style}", words[0], ("cutoff",))
    arguments(words, 2, 2, f"compute ID group {style} [cutoff R]")
    return positive(words[1], "a cutoff")


def pairs_of(system: System, words: list[str], usage: str) -> list[tuple[str, str]]:
    """KEYWORD VALUE …"""
    if len(words) % 2:
        raise InputError(f"keyword '{words[-1]}' lacks a value", f"usage: {usage}")
    return list(zip(words[::2], words[1::2], strict=True))

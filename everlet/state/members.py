"""Members: the systems of a batch, whose atoms are the rows of one System, one system after the other.

Loops over neighbours and links know nothing of it: ghosts are rows with positions of their own, and rows of lists hold atoms of
one system. What reads a box reads that of the system which an atom is of, from a table in memory of the space; sums over atoms
are made for each system (portable/segments.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.portable import Space, View
from everlet.portable.segments import Segments
from everlet.state.box import BOX, Box


class Hull(Box):
    """Stands for all boxes where one is asked for: it is around all of them, and its volume is the sum of theirs."""

    def __init__(self, boxes: Sequence[Box]):
        ends = [box.bounds() for box in boxes]
        super().__init__(np.min([low for low, _ in ends], axis=0), np.max([high for _, high in ends], axis=0), boundary="f f f")
        self.boxes = boxes

    @property
    def volume(self) -> float:
        return float(sum(box.volume for box in self.boxes))

    def _extended(self, cutoff: float, part: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        ends = [box.extended(cutoff) for box in self.boxes]
        return np.min([low for low, _ in ends], axis=0), np.max([high for _, high in ends], axis=0)


class Members:
    """The systems of a batch.

    count     how many
    sizes     atoms of each; `first[s]` is the first row of system s
    boxes     one for each, on the host; `view` has them for kernels, which may change them: `take` brings them back
    numbers   which tell noise of systems apart
    keeps     each system has lists of its own time (comm/members.py)
    due       of systems that get new ghosts and lists with the next build, not 0
    reach2    the square of how far atoms may move until then; `built` are the boxes that lists were built in
    rows      segments of atoms
    """

    def __init__(self, space: Space, boxes: Sequence[Box], sizes: Sequence[int], numbers: Sequence[int], keeps: bool):
        self.space, self.boxes, self.count = space, list(boxes), len(boxes)
        self.sizes = np.array(sizes, np.int64)
        self.rows = Segments(space, self.sizes)
        self.first = self.rows.first
        self.numbers, self.keeps = np.array(numbers, np.int64), keeps
        self.view = View(BOX * self.count, np.float64, space)
        self.due, self.tilted = (View(self.count, np.int32, space) for _ in range(2))
        self.reach2, self.built = View(self.count, np.float64, space), View(BOX * self.count, np.float64, space)
        self.changes = 0  # how often all lists were to be made anew, for boxes that may be others
        self.put()

    def put(self) -> None:
        """The host's boxes are those that kernels read."""
        self.view.put(np.concatenate([box.params() for box in self.boxes]))
        self.tilted.put(np.array([box.triclinic for box in self.boxes], np.int32))

    def take(self) -> None:
        """Kernels have changed boxes: so do the host's."""
        rows = np.asarray(self.view.get()).reshape(-1, BOX)
        for box, row in zip(self.boxes, rows, strict=True):
            box.lo, box.hi = row[:3].copy(), row[18:21].copy()
            box.yz, box.xz, box.xy = (float(value) for value in row[6:9])

    def renew(self, skin: float) -> None:
        """All systems get new lists with the next build."""
        self.due.put(np.ones(self.count, np.int32))
        self.reach2.put(np.full(self.count, (0.5 * skin) ** 2))
        self.changes += 1

    def of_each(self, values: Any) -> list[np.ndarray]:
        """Rows of an array of all atoms, system by system."""
        return np.split(np.asarray(values), self.first[1:-1])

    @property
    def volumes(self) -> np.ndarray:
        return np.array([box.volume for box in self.boxes])

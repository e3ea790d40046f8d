"""Several reductions that end in one launch, in sequences that are replayed: a launch costs as much as the sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.portable.kernels import Counted, Kernel, parallel_team, run, summed
from everlet.portable.spaces import Space
from everlet.portable.sums import ADD_ALL
from everlet.portable.views import Constants, View


class Together:
    """Reductions of the steps of a sequence that is collected: sums of blocks stay side by side until `finish`."""

    def __init__(self, space: Space):
        self.space, self.needed = space, 0
        self.room = View(0, np.float64, space)
        self.tables: dict[bytes, Constants] = {}  # by content: sequences that were collected earlier keep theirs
        self.begin()

    def begin(self) -> None:
        """Of one step: it may use all of the room again."""
        self.used = 0
        self.rows: list[tuple[int, ...]] = []

    def enlarged(self) -> bool:
        """Whether the room was too small: then there is more now, and the sequence must be collected again."""
        if self.needed <= self.room.shape[0]:
            return False
        self.room = View(self.needed + self.needed // 4, np.float64, self.space)
        return True

    def reduce(self, n: int | Counted, kernel: Kernel, *args: Any, at: int) -> None:
        """Sum numbers `at` and following; several reductions may be for the same."""
        most, counter = (n.most, n.counter) if isinstance(n, Counted) else (max(n, 0), 0)
        size = summed(kernel, self.space, most)
        first, self.used = self.used, self.used + max(-(-most // size), 1) * kernel.sums
        self.needed = max(self.needed, self.used)
        if self.used > self.room.shape[0]:
            return
        run(self.space, kernel, n, (*args, self.room.part(first, self.used - first)))
        self.rows += [(at + k, first + k, most, counter, size, kernel.sums) for k in range(kernel.sums)]

    def finish(self, into: View) -> None:
        """All numbers of `into`; those that nothing was added to are 0."""
        rows, count = sorted(self.rows), into.shape[0]
        ends = np.searchsorted([row[0] for row in rows], np.arange(count), "right")
        begins = np.concatenate([[0], ends[:-1]])
        table = np.concatenate([np.stack([begins, ends], 1).ravel(), np.array([row[1:] for row in rows], np.int64).ravel()])
        key = table.astype(np.int64).tobytes()
        if key not in self.tables:
            self.tables[key] = Constants(len(table), self.space, np.int64)
            self.tables[key].set(table)
        parallel_team(self.space, count, ADD_ALL, count, self.tables[key].view, self.space.control, self.room, into)

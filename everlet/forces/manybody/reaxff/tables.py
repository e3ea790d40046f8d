"""Packed tables: what is counted for each item, where the entries of each begin, and columns that grow with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.portable import Kernel, Space, View, parallel_for
from everlet.portable.scan import Scan

SLACK = 64  # places behind the last entry, which lanes may write to
SPARE = 1.1
FEW = 4096  # entries: a table of few may soon have half as many more, and a graph of a GPU is made anew for a new table


class Packed:
    """Entries of item i are start[i] … start[i + 1] - 1 of all columns; there is room for so many, and lanes beyond."""

    def __init__(self, space: Space, **columns: Any):
        self.space, self.kinds, self.room, self.total = space, columns, 0, 0
        self.count, self.start = View(1, np.int32, space), View(2, np.int32, space)
        self.columns = {name: View(SLACK, kind, space) for name, kind in columns.items()}
        self.scan = Scan(space)

    def __getitem__(self, name: str) -> View:
        return self.columns[name]

    def items(self, n: int) -> None:
        """There are so many items."""
        if self.count.shape[0] < n:
            most = int(SPARE * n) + 16
            self.count, self.start = View(most, np.int32, self.space), View(most + 1, np.int32, self.space)

    def add_up(self, n: int) -> None:
        """Entries have been counted: where those of each item begin, and room for all, if that is known here."""
        if n:
            self.scan(n, self.count, self.start)
        if self.space.queue is None:
            self.total = int(self.start.data[n]) if n else 0
            self.reserve(self.total)

    def pack(self, items: int, count: Kernel, fill: Kernel, common: tuple[Any, ...]) -> None:
        """Count the entries of each item, then put them into their places."""
        space = self.space
        self.items(items)
        parallel_for(space, items, count, *common, self.count)
        self.add_up(items)
        parallel_for(space, items, fill, items, *common, self.start, self.room, space.place + 1, space.control,
                     *self.columns.values())

    def reserve(self, total: int) -> bool:
        """Room for so many; whether columns are new."""
        if total <= self.room and self.room:
            return False
        self.room = int(SPARE * total) + min(total // 2, FEW) + SLACK
        self.columns = {name: View(self.room + SLACK, kind, self.space) for name, kind in self.kinds.items()}
        return True

    def used(self) -> int:
        """Entries that loops go over: as many as there is room for where their number is known to the device alone."""
        return self.room if self.space.counts_on_device else self.total

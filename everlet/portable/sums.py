"""The end of a reduction: sums of blocks are added up by a kernel, so that they can stay in the memory of the space.

`Together` does this for several reductions in one launch, in sequences that are replayed: a launch costs as much as the sums.
"""
# mypy: ignore-errors
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.portable import Constants, Counted, Kernel, View, f64, i64, parallel_team, portable
from everlet.portable.kernels import run, summed

TEAM = 256


@portable
def add_up(k, n: i64, counter: i64, size: i64, sums: i64, first: i64, add: i64, control: i64[:], partial: f64[:], into: f64[:]):
    """into[first + k] = sum number k of all blocks of `size` items; of n items, or of as many as a control word says."""
    items = n
    if counter > 0:
        items = min(n, control[counter])
    total = 0.0
    for block in team_range((items + size - 1) // size):
        total += partial[block * sums + k]
    whole = team_sum(total)
    if team_rank() == 0:
        if add > 0:
            whole += into[first + k]
        into[first + k] = whole


@portable
def add_all(t, count: i64, table: i64[:], control: i64[:], partial: f64[:], into: f64[:]):
    """into[t] = the sums of all rows that are for number t. table: where its rows begin and end, for each of `count` numbers;
    then rows of WORDS: first sum of a block, items, the control word that knows their number, items of a block, step."""
    total = 0.0
    for row in range(table[2 * t], table[2 * t + 1]):
        place = 2 * count + WORDS * row
        items = table[place + 1]
        if table[place + 2] > 0:
            items = min(items, control[table[place + 2]])
        size = table[place + 3]
        for block in team_range((items + size - 1) // size):
            total += partial[table[place] + block * table[place + 4]]
    whole = team_sum(total)
    if team_rank() == 0:
        into[t] = whole


WORDS = 5
ADD_UP = Kernel(add_up, team=TEAM, league=True)
ADD_ALL = Kernel(add_all, team=TEAM, league=True)


class Together:
    """Reductions of the steps of a sequence that is collected: sums of blocks stay side by side until `finish`."""

    def __init__(self, space):
        self.space, self.needed = space, 0
        self.room = View(0, np.float64, space)
        self.tables = {}  # by content: sequences that were collected earlier keep theirs
        self.begin()

    def begin(self):
        """Of one step: it may use all of the room again."""
        self.used, self.rows = 0, []

    def enlarged(self):
        """Whether the room was too small: then there is more now, and the sequence must be collected again."""
        if self.needed <= self.room.shape[0]:
            return False
        self.room = View(self.needed + self.needed // 4, np.float64, self.space)
        return True

    def reduce(self, n, kernel, *args, at):
        """Sum numbers `at` and following; several reductions may be for the same."""
        most, counter = (n.most, n.counter) if isinstance(n, Counted) else (max(n, 0), 0)
        size = summed(kernel, self.space, most)
        first, self.used = self.used, self.used + max(-(-most // size), 1) * kernel.sums
        self.needed = max(self.needed, self.used)
        if self.used > self.room.shape[0]:
            return
        run(self.space, kernel, n, (*args, self.room.part(first, self.used - first)))
        self.rows += [(at + k, first + k, most, counter, size, kernel.sums) for k in range(kernel.sums)]

    def finish(self, into):
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

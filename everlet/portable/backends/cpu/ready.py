"""Launches with their arguments packed, and lists of them that are run as one: steps that are repeated need no Python."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.portable.backends.cpu import loops


@dataclass
class Ready:
    """A launch with its arguments packed, to be run again as long as arrays stay in place: for chunks of `size` of n items, or
    for n ranges, which begin and end as it stands at these addresses."""

    kept: Any  # arrays
    entry: int
    n: int
    size: int
    words: bytes
    threads: int
    most: int
    begins: int = 0
    ends: int = 0

    def __call__(self) -> None:
        if self.size:
            loops.run(self.entry, self.n, self.size, self.words, self.threads, self.most)
        else:
            loops.run_ranges(self.entry, self.begins, self.ends, self.n, self.words, self.threads, self.most)

    def numbers(self) -> tuple[int, ...]:
        """What it is, beside its words."""
        alone = self.threads == 1 or (self.n <= self.size if self.size else self.n == 1)
        return self.entry, self.n, self.size, self.begins, self.ends, 1 if alone else self.threads


def zeros(array: Any) -> Ready:
    """Fills a contiguous array with 0."""
    return Ready(array, loops.loops().zero, array.nbytes, array.nbytes, array.ctypes.data.to_bytes(8, sys.byteorder), 1, 1)


class Steps:
    """Three lists of launches, each with the place that its time is added to. A step runs one of the first two, then the third.
    Steps end behind the first list if there is something else than `later` in one of the control words."""

    def __init__(self, lists: Sequence[Sequence[tuple[Ready, int]]], places: int):
        self.kept = lists
        self.times = np.zeros(max(places, 1))  # seconds, by the numbers that launches came with
        rows = [np.array([self._row(*one) for one in part], np.int64).reshape(-1, 8) for part in lists]
        self._lists = [np.array([row.ctypes.data, len(row)], np.int64) for row in rows]
        self._rows, self._most = rows, max((one.most for part in lists for one, _ in part), default=1)
        self._given = [one.ctypes.data for one in self._lists]

    @staticmethod
    def _row(launch: Ready, place: int) -> tuple[int, ...]:
        entry, n, size, begins, ends, threads = launch.numbers()
        words = ctypes.cast(ctypes.c_char_p(launch.words), ctypes.c_void_p).value or 0
        return entry, n, size, begins, ends, words, threads, place

    def run(self, due: bytes, control: Any, word: int, later: int) -> int:
        """As many steps as there are bytes, with the first list where they are not 0; how many steps were done as a whole."""
        stop = control.ctypes.data + 8 * word
        pool = loops.pool(self._most) if self._most > 1 else (0, 0)
        return int(loops.loops().steps(*self._given, due, len(due), stop, later, *pool, self.times.ctypes.data))

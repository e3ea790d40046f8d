"""Sums of each of many segments of items, such as the atoms of each of many systems, in the memory of the space.

    segments = Segments(space, [64, 32, 2000])             # so many items, one segment after the other
    segments.reduce(space, kernel, *args, into=view, stride=8)

leaves the sums of segment s in `into` from element at + s * stride on. Items of a segment are summed in blocks of fixed size,
and blocks in order: on CPUs the bits are those of parallel_reduce over the items of this segment alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from everlet.portable.backends.base import BLOCK
from everlet.portable.kernels import Kernel, parallel_for, run
from everlet.portable.language.dtypes import f64, i64
from everlet.portable.language.functions import portable
from everlet.portable.spaces import Space
from everlet.portable.views import View


@portable
def add_segments(s, sums: i64, begin: i64[:], partial: f64[:], to: i64, stride: i64, add: i64, into: f64[:]):
    """into[to + s * stride + k] = sum number k of the blocks of segment s."""
    for k in range(sums):
        total = 0.0
        for block in range(begin[s], begin[s + 1]):
            total += partial[block * sums + k]
        if add > 0:
            total += into[to + s * stride + k]
        into[to + s * stride + k] = total


ADD_SEGMENTS = Kernel(add_segments)


class Segments:
    """Segments that follow each other: `first[s]` is the first item of segment s."""

    def __init__(self, space: Space, sizes: np.ndarray | list[int]):
        sizes = np.asarray(sizes, np.int64)
        self.space, self.count = space, len(sizes)
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        blocks = np.maximum(-(-sizes // BLOCK), 1)
        starts = np.concatenate([[0], np.cumsum(blocks)]).astype(np.int64)
        number = np.arange(starts[-1]) - np.repeat(starts[:-1], blocks)  # of a block in its segment
        begin = np.repeat(self.first[:-1], blocks) + BLOCK * number
        self.begin, self.end, self.blocks = (View(len(one), np.int64, space) for one in (begin, begin, starts))
        self.begin.put(begin)
        self.end.put(np.minimum(begin + BLOCK, np.repeat(self.first[1:], blocks)))
        self.blocks.put(starts)
        self.partials: dict[int, View] = {}  # by the number of sums
        self.ranged: dict[int, tuple[Kernel, Kernel]] = {}  # by kernel

    def kernel(self, kernel: Kernel) -> Kernel:
        """The same reduction over ranges."""
        found = self.ranged.get(id(kernel))
        if found is None:
            found = self.ranged[id(kernel)] = replace(kernel, ranged=True), kernel  # which keeps its id
        return found[0]

    def reduce(self, kernel: Kernel, *args: Any, into: View, at: int = 0, stride: int = 0, add: bool = False) -> None:
        """The sums that kernel gives for each segment; nothing comes to the host."""
        sums = kernel.sums
        blocks = self.begin.shape[0]
        partial = self.partials.get(sums)
        if partial is None:
            partial = self.partials[sums] = View(max(blocks * sums, 1), np.float64, self.space)
        run(self.space, self.kernel(kernel), blocks, (*args, self.begin, self.end, partial))
        parallel_for(self.space, self.count, ADD_SEGMENTS, sums, self.blocks, partial, at, stride or sums, int(add), into)

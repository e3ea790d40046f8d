"""Sums of segments: those of each segment alone."""

from __future__ import annotations

import numpy as np
import pytest

from everlet.portable import Reference, Serial, Threads, View, f64, i64, parallel_reduce, portable
from everlet.portable.batch import collected
from everlet.portable.graphs import Graph
from everlet.portable.kernels import Kernel
from everlet.portable.segments import Segments
from everlet.portable.spaces import Space


@portable
def two(i, skip: i64, x: f64[:]):
    return x[skip + i], x[skip + i] * x[skip + i]


TWO = Kernel(two, sums=2)


@pytest.mark.parametrize("space", [Reference(), Serial(), Threads(2)], ids=str)
def test_bits_of_each_segment_alone(space: Space) -> None:
    sizes = [3, 0, 2500, 1024, 1]
    x = View(sum(sizes), np.float64, space)
    x.put(np.random.default_rng(1).normal(size=sum(sizes)))
    segments, into = Segments(space, sizes), View(4 * len(sizes), np.float64, space)
    segments.reduce(TWO, 0, x, into=into, at=1, stride=4)
    found = into.get().reshape(-1, 4)
    for size, first, row in zip(sizes, segments.first, found, strict=False):
        alone = parallel_reduce(space, size, TWO, int(first), x)
        assert np.array_equal(row[1:3], alone) and row[0] == row[3] == 0.0


def test_replayed() -> None:
    space = Serial()
    x, into, segments = View(6, np.float64, space), View(4, np.float64, space), Segments(space, [2, 4])
    with collected(space) as launches:
        segments.reduce(TWO, 0, x, into=into, add=True)
    x.put(np.arange(6.0))
    graph = Graph(space, launches)
    graph.replay()
    graph.replay()
    assert into.get().tolist() == [2.0, 2.0, 28.0, 108.0]

"""Sums that stay in the memory of the space, and step numbers that kernels read: alone, collected and replayed."""
# mypy: ignore-errors
# ruff: noqa: F821

from __future__ import annotations

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.portable import (
    Counted,
    Kernel,
    Serial,
    View,
    f64,
    i64,
    parallel_for,
    parallel_reduce,
    portable,
)
from everlet.portable.backends.base import BLOCK
from everlet.portable.batch import collected, fused, join
from everlet.portable.graphs import Graph
from everlet.portable.spaces import COUNTERS, LATER, STOP
from everlet.state.clock import advance, set_step
from everlet.state.control import STEP
from tests.unit.spaces import SPACES, every_made

COUNT = COUNTERS + 3


@portable
def moments(i, x: f64[:]):
    return x[i], x[i] * x[i], 1.0


@portable
def lane_moments(i, x: f64[:]):
    """The lanes of a team share numbers of an item."""
    s = lanes(0.0)
    for q in lane_range(16):
        s += load(x, 16 * i + q)
    total = f64(lane_sum(s))
    return total, 1.0


@portable
def scale(i, x: f64[:], sums: f64[:]):
    x[i] *= sums[0] / sums[2]


@portable
def note(i, control: i64[:], seen: f64[:]):
    seen[control[STEP]] += 1.0


@portable
def stop(i, control: i64[:]):
    control[STOP] = 1


def numbers(space, n, seed=1):
    x = View(n, np.float64, space)
    x.put(np.random.default_rng(seed).random(n))
    return x


@every_made
@pytest.mark.parametrize("n", [0, 1, 7, BLOCK, 20 * BLOCK + 3])
def test_sums_stay_in_the_space(make, n):
    space = make()
    x, into = numbers(space, max(n, 1)), View(8, np.float64, space)
    into.put(5.0)
    assert parallel_reduce(space, n, moments, x, sums=3, into=into, at=2).size == 0
    told, values = parallel_reduce(space, n, moments, x, sums=3), x.get()[:n]
    assert np.array_equal(into.get(), [5, 5, *told, 5, 5, 5])  # to the last bit
    assert told == pytest.approx([values.sum(), (values**2).sum(), n], rel=1e-13)
    parallel_reduce(space, n, moments, x, sums=3, into=into, at=2, add=True)
    assert np.array_equal(into.get(), [5, 5, *(2 * told), 5, 5, 5])


def test_sums_are_the_same_for_any_number_of_threads():
    found = []
    for space in SPACES[1:]:
        into = View(3, np.float64, space)
        parallel_reduce(space, 50000, moments, numbers(space, 50000), sums=3, into=into)
        found.append(into.get().tobytes())
    assert found[0] == found[1]


@every_made
def test_items_that_only_the_space_can_count(make):
    space = make()
    x, into = numbers(space, 4 * BLOCK), View(3, np.float64, space)
    parallel_reduce(space, 4 * BLOCK, moments, x, sums=3, into=into)  # leaves sums of blocks that must not be seen again
    for count in (BLOCK + 5, 0, 9 * BLOCK):
        space.control[COUNT] = count
        seen = min(count, 4 * BLOCK)
        told = parallel_reduce(space, Counted(COUNT, 4 * BLOCK), moments, x, sums=3, into=into)
        assert told.size == 0 and into.get()[[0, 2]] == pytest.approx([x.get()[:seen].sum(), seen], rel=1e-13)
        assert np.array_equal(parallel_reduce(space, Counted(COUNT, 4 * BLOCK), moments, x, sums=3), into.get())


@every_made
@pytest.mark.parametrize("team", [1, 2, 4, 16])
def test_teams(make, team):
    space, n = make(), 700
    x, into = numbers(space, 16 * n), View(2, np.float64, space)
    kernel = Kernel(lane_moments, sums=2, team=team)
    parallel_reduce(space, n, kernel, x, into=into)
    assert into.get() == pytest.approx([x.get().sum(), n], rel=1e-13)
    assert np.array_equal(parallel_reduce(space, n, kernel, x), into.get())


@every_made
def test_sums_are_collected_and_replayed(make):
    space, n = make(), 3 * BLOCK + 1
    x, sums = numbers(space, n), View(3, np.float64, space)
    start = x.get()
    with collected(space) as found:
        parallel_reduce(space, n, moments, x, sums=3, into=sums)
        parallel_for(space, n, scale, x, sums)
    assert sums.get().tolist() == [0, 0, 0] and [kernel.name for kernel, *_ in found] == ["moments", "add_up", "scale"]
    parallel_reduce(space, 50 * BLOCK, moments, numbers(space, 50 * BLOCK), sums=3)  # needs more memory than the graph has
    graph = Graph(space, join(found))
    for _ in range(2):
        wanted = start * start.sum() / n
        graph.replay()
        assert sums.get()[0] == pytest.approx(start.sum(), rel=1e-12)
        assert x.get() == pytest.approx(wanted, rel=1e-12)
        start = wanted
    graph.close()


def test_sums_of_fused_loops():
    space = Serial()
    x, sums = numbers(space, 10), View(3, np.float64, space)
    with fused(space):
        parallel_reduce(space, 10, moments, x, sums=3, into=sums)
    assert sums.get()[2] == 10


@every_made
def test_steps_count_for_themselves(make):
    space = make()
    seen = View(12, np.float64, space)
    set_step(space, 3)
    with collected(space) as found:
        for k in range(4):
            space.limit = k
            advance(space)
            parallel_for(space, 1, note, space.control, seen)
        space.limit = type(space).limit
    graph = Graph(space, join(found))
    graph.replay()
    graph.replay()
    assert seen.get().tolist() == [0] * 4 + [1] * 8 and space.read_control()[STEP] == 11
    space.reset_control()
    assert space.read_control()[STEP] == 11
    set_step(space, -1)
    parallel_for(space, 1, stop, space.control)
    graph.replay()  # steps 2 and 3 are called off
    assert space.read_control()[STEP] == 1 and seen.get()[:3].tolist() == [1, 1, 0]
    space.reset_control()
    assert space.read_control()[STOP] == LATER
    graph.close()


def test_what_does_not_fit_is_refused():
    space, x = Serial(), View(3, np.float64)
    with pytest.raises(InputError, match="3 sums from element 1 on, the view has 3"):
        parallel_reduce(space, 3, moments, x, sums=3, into=View(3, np.float64), at=1)
    with pytest.raises(InputError, match="has type int64"):
        parallel_reduce(space, 3, moments, x, sums=3, into=View(3, np.int64))

"""Cycles of loads, gathers, stores and atomic additions, by where the data are, and of launches (micro_loops.py)."""

from __future__ import annotations

import time

import numpy as np

from everlet.perf import micro_loops as loops
from everlet.perf.clock import Clock
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.graphs import Graph
from everlet.portable.language.dtypes import dtype

ACCESSES = {"load": loops.read, "gather": loops.read_by_index, "store": loops.write}
# bytes of the arrays that a unit reads again and again, by target; of other GPUs as of these
PLACES = {"cpu": {"first cache": 1 << 14, "second cache": 1 << 18, "memory": 1 << 28},
          "cuda": {"first cache": 1 << 14, "second cache": 1 << 24, "memory": 1 << 30}, "plain": {"memory": 1 << 10}}
WARP = 32  # threads of a GPU that read side by side
COUNTERS = 4096
LAUNCHES = 200


def cycles(clock: Clock, name: str, precision: str) -> dict[str, float]:
    """Cycles of one unit for one number, by the place where the numbers are."""
    places = PLACES.get(clock.space.target, PLACES["cuda"])
    return {place: _per_number(clock, name, precision, size) for place, size in places.items()}


def _per_number(clock: Clock, name: str, precision: str, size: int) -> float:
    space, real = clock.space, dtype("real", precision)
    count = size // np.dtype(real).itemsize
    items, share, step = 1, count, 0
    if space.many_threads:
        items = clock.units * 32
        if size > PLACES["cuda"]["first cache"]:  # each warp reads a part of its own
            share = step = count // items // (8 * WARP) * 8 * WARP
    kernel = Kernel(ACCESSES[name], precision=precision, team=space.shared(WARP))
    x, out = View(count, real, space), View(items, np.float64, space)
    x.put(np.ones(count))
    given = [x, out]
    if name == "gather":
        index = View(count, np.int32, space)
        index.put(np.random.default_rng(1).permutation(count))
        given.insert(0, index)
    spent = clock.cycles(lambda rounds: parallel_for(space, items, kernel, rounds, share, step, *given), 1)
    return spent / (items * share)


def atomic(clock: Clock, name: str, precision: str) -> dict[str, float]:
    """Cycles of an addition to a counter of one's own, and to one that all items use."""
    space, found = clock.space, {}
    items = clock.units * 2048 if space.many_threads else 1
    counters, out = View(COUNTERS, np.int32, space), View(items, np.float64, space)
    for what, places, stride in (("spread", COUNTERS, 1), ("one place", 1, 0)):
        def add(rounds: int, places: int = places, stride: int = stride) -> None:
            parallel_for(space, items, loops.count, rounds, places, stride, counters, out)

        found[what] = clock.cycles(add) / items
    return found


def launch(clock: Clock, name: str, precision: str) -> dict[str, float]:
    """Cycles of one unit that pass while an empty kernel is started: alone, and as a node of a graph."""
    space, kernel, out = clock.space, Kernel(loops.nothing), View(1, np.float64, clock.space)
    many = [(kernel, 1, (out,), space.limit)] * LAUNCHES
    graph = Graph(space, many)
    found = {}

    def one_by_one() -> None:
        for _ in many:
            parallel_for(space, 1, kernel, out)

    for what, action in (("alone", one_by_one), ("in a graph", graph.replay)):
        least = float("inf")
        for _ in range(5):
            space.synchronize()
            begin = time.perf_counter()
            action()
            space.synchronize()
            least = min(least, time.perf_counter() - begin)
        found[what] = least / LAUNCHES * clock.gigahertz * 1e9
    graph.close()
    return found

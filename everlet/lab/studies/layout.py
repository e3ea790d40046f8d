"""everlet study layout: what the wrong memory layout costs."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np

from everlet.lab import layout_loops as loops
from everlet.lab.results import OUT, Outcome, Row, bars, clock_of, outcome, plot, study
from everlet.perf import options
from everlet.portable import View, choose, parallel_for

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "items": (options.positive, 1_000_000), "repeat": (options.positive, 9),
    "device": (options.one_of("serial", "cpu", "cuda"), "serial"), **OUT}
WIDTH = 8
LAYOUTS = ("row", "column", "tiled")
KERNELS = {"one value": loops.one_value, "all values": loops.all_values, "random order": loops.values_in_random_order}

plot("layout")(bars("kernel", {one: one for one in LAYOUTS}, "ns per item"))


@study("layout")
def layout(words: list[str]) -> Outcome:
    """everlet study layout [--items 1000000] [--repeat 9] [--device serial|cpu|cuda] [--out FOLDER]

    The same kernels over views of row, column and tiled layout: one value of each item of eight, all of them, and all of
    them in random order; nanoseconds per item, and the ratio of the worst layout to the best."""
    given = options.parse(words, KNOWN, "everlet study layout [options]; see everlet study --help")
    space, rng = choose(given["device"]), np.random.default_rng(1)
    items, clock = given["items"], clock_of(space)
    order, out = View(items, np.int32, space), View(items, np.float64, space)
    order.put(rng.permutation(items))
    values, views = rng.random((items, WIDTH)), {}
    for name in LAYOUTS:
        views[name] = View((items, WIDTH), np.float64, space, name)
        views[name].put(values)
    rows: list[Row] = []
    for name, body in KERNELS.items():
        times: dict[str, list[float]] = {one: [] for one in LAYOUTS}
        for number in range(given["repeat"] + 1):
            for one in LAYOUTS:
                begin = clock()
                parallel_for(space, items, body, order, views[one], out)
                space.synchronize()
                if number:  # the first round compiles
                    times[one].append(clock() - begin)
        found = {one: statistics.median(spent) / items * 1e9 for one, spent in times.items()}
        rows.append({"kernel": name, **found, "worst_by_best": max(found.values()) / min(found.values())})
    worst = max(row["worst_by_best"] for row in rows)
    best = {row["kernel"]: min(LAYOUTS, key=lambda one: row[one]) for row in rows}
    named = ", ".join(f"{one} for {name}" for name, one in best.items())
    holds = "holds" if len(set(best.values())) > 1 else "does not hold"
    said = f"the wrong layout costs up to {worst:.1f} times; best are {named}: that no layout is best for all {holds} here"
    columns = {"kernel": "kernel", **{one: f"{one} ns" for one in LAYOUTS}, "worst_by_best": "worst by best"}
    return outcome(given, "layout", rows, columns, said, space)

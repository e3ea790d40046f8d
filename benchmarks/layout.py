"""What the wrong memory layout costs: the same kernels over views of row, column and tiled layout.

    python benchmarks/layout.py [--items 1000000] [--repeats 15] [--out benchmarks/results/layout.json]

An item has eight float64 values, one cache line in row layout. Three kernels use them as simulations do:

    one      one value of every item, in order           (a mask, a type, one component)
    all      all values of every item, in order          (an integrator)
    random   all values of items in random order         (neighbours of an atom before sorting)

Printed and stored: the median time per item in nanoseconds, and its ratio to the best layout for that kernel.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from pathlib import Path

import numpy as np

from everlet.lab.layout_loops import all_values, one_value, values_in_random_order
from everlet.portable import Serial, View, parallel_for

WIDTH = 8
LAYOUTS = ("row", "column", "tiled")
RESULTS = Path(__file__).parent / "results" / "layout.json"
KERNELS = {"one": one_value, "all": all_values, "random": values_in_random_order}


def measure(items: int, repeats: int) -> dict[str, dict[str, dict[str, float]]]:
    """{kernel: {layout: {ns_per_item, ratio}}}. Repeats go round the layouts: a disturbance hits all of them."""
    space, rng = Serial(), np.random.default_rng(1)
    order = View(items, np.int32, space)
    order.put(rng.permutation(items))
    values = rng.random((items, WIDTH))
    views, out = {}, View(items, np.float64, space)
    for layout in LAYOUTS:
        views[layout] = View((items, WIDTH), np.float64, space, layout)
        views[layout].put(values)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, body in KERNELS.items():
        times: dict[str, list[float]] = {layout: [] for layout in LAYOUTS}
        for repeat in range(repeats + 1):
            for layout in LAYOUTS:
                begin = time.perf_counter()
                parallel_for(space, items, body, order, views[layout], out)
                if repeat:  # the first round compiles
                    times[layout].append(time.perf_counter() - begin)
        medians = {layout: statistics.median(t) / items * 1e9 for layout, t in times.items()}
        best = min(medians.values())
        found[name] = {layout: {"ns_per_item": round(median, 3), "ratio": round(median / best, 2)}
                       for layout, median in medians.items()}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="the cost of the wrong memory layout")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    found = measure(options.items, options.repeats)
    print(f"{'kernel':<8}" + "".join(f"{layout:>18}" for layout in LAYOUTS))
    for name, row in found.items():
        print(f"{name:<8}" + "".join(f"{r['ns_per_item']:>9.2f} ns{r['ratio']:>5.1f}x" for r in row.values()))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({"machine": platform.machine(), "items": options.items, "width": WIDTH,
                                       "repeats": options.repeats, "kernels": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""everlet study modules: the steps of a cell method, each on its own."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.lab.results import OUT, Outcome, Row, bars, clock_of, outcome, plot, study
from everlet.neighbor.cells import Bins, make_grid
from everlet.perf import options
from everlet.portable import Space, View, choose

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.many(options.positive), [30000, 500000]),
    "device": (options.one_of("serial", "cpu", "cuda"), "serial"), **OUT}
PUBLISHED = {(500000, "bin assignment"): 115.0, (30000, "bin assignment"): 11.0}  # microseconds on a K20X
CELLS = 6
DENSITY, EDGE = 0.8442, 2.8

plot("modules")(bars("module", {"microseconds": "here", "pairs": "here, pairs", "published": "published"},
                     "microseconds, pairs", log=True))


def cell_pairs(cells: int, periodic: bool) -> int:
    """Pairs of cells, each with itself and both ways, that touch each other.

    >>> (cell_pairs(6, False), cell_pairs(6, True)) == brute(6), cell_pairs(6, False), cell_pairs(6, True)
    (True, 4096, 5832)
    """
    one = 3 * cells - (0 if periodic else 2)
    return one**3


@study("modules")
def modules(words: list[str]) -> Outcome:
    """everlet study modules [--atoms 30000,500000] [--device serial|cpu|cuda] [--out FOLDER]

    Microseconds of bin assignment with counting, of the prefix sums, of the permutation, and of the whole, for random atoms
    at the density of the melt; and how many pairs of cells a grid of 6 x 6 x 6 leaves. Published: a K20X."""
    given = options.parse(words, KNOWN, "everlet study modules [options]; see everlet study --help")
    space = choose(given["device"])
    rows: list[Row] = []
    for atoms in given["atoms"]:
        for name, seconds in steps_of(space, atoms).items():
            rows.append({"module": f"{name}, {atoms}", "atoms": atoms, "microseconds": 1e6 * seconds,
                         "ns_per_atom": 1e9 * seconds / atoms, "published": PUBLISHED.get((atoms, name))})
    near, wrapped = brute(CELLS)
    for name, count, known in (("all pairs of 6x6x6 cells", CELLS**6, 46656), ("pairs of cells that touch", near, 4096),
                               ("the same, periodic", wrapped, 5832)):
        rows.append({"module": name, "pairs": count, "published": known})
    each = [row["ns_per_atom"] for row in rows if row["module"].startswith("bin assignment")]
    linear = max(each) < 3.0 * min(each)
    said = (f"bin assignment takes {', '.join(f'{one:.2f}' for one in each)} ns for each atom: that it is linear in their "
            f"number {'holds' if linear else 'does not hold'} here; cells leave 4096 of 46656 pairs, as in the source")
    columns = {"module": "module", "microseconds": "us", "ns_per_atom": "ns/atom", "pairs": "pairs", "published": "published"}
    return outcome(given, "modules", rows, columns, said, space)


def brute(cells: int) -> tuple[int, int]:
    """The pairs counted one by one: open, periodic."""
    near = sum(abs(a - b) <= 1 for a, b in itertools.product(range(cells), repeat=2))
    wrapped = sum(min(abs(a - b), cells - abs(a - b)) <= 1 for a, b in itertools.product(range(cells), repeat=2))
    return near**3, wrapped**3


def steps_of(space: Space, atoms: int) -> dict[str, float]:
    """Seconds of each step of sorting atoms into bins."""
    edge = (atoms / DENSITY) ** (1.0 / 3.0)
    x = View((atoms, 4), np.float64, space)
    x.put(np.concatenate([np.random.default_rng(1).random((atoms, 3)) * edge, np.zeros((atoms, 1))], axis=1))
    bins = Bins(space)
    lo, hi = np.zeros(3), np.full(3, edge)
    bins.set_grid(make_grid(lo, hi, EDGE, atoms), atoms)
    return {"bin assignment": timed(space, lambda: bins.assign(x, atoms, atoms)), "prefix sums": timed(space, bins.offsets),
            "permutation": timed(space, lambda: bins.permutation(atoms)),
            "sorting into bins": timed(space, lambda: bins.sort(x, atoms, atoms))}


def timed(space: Space, action: Callable[[], None], repeats: int = 9) -> float:
    times, clock = [], clock_of(space)
    for _ in range(repeats + 1):
        space.synchronize()
        begin = clock()
        action()
        space.synchronize()
        times.append(clock() - begin)
    return statistics.median(times[1:])

"""everlet study distances: squared distances of blocks of points, directly and by matrix products."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from everlet.lab.results import OUT, Outcome, Row, lines_over, outcome, plot, study
from everlet.perf import options

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "points": (options.many(options.positive), [200, 800]), "batch": (options.many(options.positive), [25, 50, 100, 200]),
    "repeat": (options.positive, 5), **OUT}
PUBLISHED = {(200, "direct"): 0.01, (200, "products"): 0.005, (800, "direct"): 0.08}  # milliseconds of a block on a K20X

plot("distances")(lines_over("batch", "blocks of a batch", {
    "direct": "direct", "products": "by products", "published direct": "published direct",
    "published products": "published products"}, "milliseconds", log=True, by="points"))


def direct(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(a - b)²: batch, points, points."""
    total = np.zeros((*a.shape[:2], b.shape[1]))
    for axis in range(3):
        apart = a[:, :, None, axis] - b[:, None, :, axis]
        apart *= apart
        total += apart
    return total


def products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a² + b² - 2 a·b, with one matrix product for each block."""
    found = a @ b.transpose(0, 2, 1)
    found *= -2.0
    found += (a * a).sum(axis=2)[:, :, None]
    found += (b * b).sum(axis=2)[:, None, :]
    return found


@study("distances")
def distances(words: list[str]) -> Outcome:
    """everlet study distances [--points 200,800] [--batch 25,50,100,200] [--repeat 5] [--out FOLDER]

    Squared distances between two blocks of points, for batches of blocks: directly, and as |a|² + |b|² - 2 a·b by matrix
    products of NumPy's library; milliseconds, and digits that the products lose. Published: a K20X, linear in the batch,
    products twice as fast."""
    given = options.parse(words, KNOWN, "everlet study distances [options]; see everlet study --help")
    rng, rows = np.random.default_rng(1), list[Row]()
    for points in given["points"]:
        for batch in given["batch"]:
            if 8 * batch * points * points > 1 << 30:  # bytes
                continue
            a, b = rng.random((2, batch, points, 3))
            spent = {name: _median(lambda method=method, a=a, b=b: method(a, b), given["repeat"])
                     for name, method in (("direct", direct), ("products", products))}
            lost = float(np.abs(direct(a[:1], b[:1]) - products(a[:1], b[:1])).max())
            rows.append({"points": points, "batch": batch, "direct": 1e3 * spent["direct"], "products": 1e3 * spent["products"],
                         "ratio": spent["direct"] / spent["products"], "difference": lost,
                         **{f"published {name}": PUBLISHED[points, name] * batch if (points, name) in PUBLISHED else None
                            for name in ("direct", "products")}})
    ratio = statistics.median(row["ratio"] for row in rows)
    said = (f"products take 1/{ratio:.1f} of the time of the direct way here (published: half), and lose digits: distances "
            f"differ by up to {max(row['difference'] for row in rows):.1e}; time is linear in the batch in both")
    columns = {"points": "points", "batch": "blocks", "direct": "direct ms", "published direct": "published",
               "products": "products ms", "published products": "published", "ratio": "ratio", "difference": "difference"}
    return outcome(given, "distances", rows, columns, said)


def _median(action: Any, repeats: int) -> float:
    times = []
    for _ in range(repeats + 1):
        begin = time.process_time()
        action()
        times.append(time.process_time() - begin)
    return statistics.median(times[1:])

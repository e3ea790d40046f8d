"""everlet study distances: squared distances of blocks of points, directly and by matrix products."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import Any

import numpy as np

from everlet import settings
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
    products of NumPy's library; milliseconds of one core, and digits that the products lose. Published: a K20X, linear in the
    batch, products twice as fast."""
    given = options.parse(words, KNOWN, "everlet study distances [options]; see everlet study --help")
    # threads of the library wait for each other where cores are shared; their number is read when a process begins
    alone = {f"{name}_THREADS": "1" for name in ("OPENBLAS_NUM", "OMP_NUM", "MKL_NUM", "VECLIB_MAXIMUM")}
    wanted = json.dumps({name: given[name] for name in ("points", "batch", "repeat")})
    done = subprocess.run([*settings.PYTHON, "-m", __name__, wanted], capture_output=True, text=True, check=True,
                          env=settings.environment(**alone))
    rows: list[Row] = json.loads(done.stdout)
    columns = {"points": "points", "batch": "blocks", "direct": "direct ms", "published direct": "published",
               "products": "products ms", "published products": "published", "ratio": "ratio", "difference": "difference"}
    return outcome(given, "distances", rows, columns, conclusion(rows))


def measured(given: dict[str, Any]) -> list[Row]:
    """The rows, in this process."""
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
    return rows


def conclusion(rows: list[Row]) -> str:
    """For each size of a block: what products take by the direct way, and whether time is linear in the batch."""
    sizes = list(dict.fromkeys(row["points"] for row in rows))
    taken = {points: 1.0 / statistics.median(row["ratio"] for row in rows if row["points"] == points) for points in sizes}
    named = ", ".join(f"{share:.2f} for {points} points" for points, share in taken.items())
    faster = [points for points, share in taken.items() if share < 0.9]
    verdict = ("holds here" if len(faster) == len(sizes) else "does not hold here" if not faster else
               f"holds here for {' and '.join(map(str, faster))} points only")
    spread = [row[name] / row["batch"] / rows[k - 1][name] * rows[k - 1]["batch"] for name in ("direct", "products")
              for k, row in enumerate(rows) if k and rows[k - 1]["points"] == row["points"]]
    straight = not spread or max(max(spread), 1.0 / min(spread)) < 1.5
    return (f"products take {named} of the time of the direct way (published: half): that they are faster {verdict}. They lose "
            f"digits: distances differ by up to {max(row['difference'] for row in rows):.1e}. That time is linear in the batch "
            f"{'holds' if straight else 'does not hold'} here")


def _median(action: Any, repeats: int) -> float:
    times = []
    for _ in range(repeats + 1):
        begin = time.process_time()
        action()
        times.append(time.process_time() - begin)
    return statistics.median(times[1:])


if __name__ == "__main__":
    print(json.dumps(measured(json.loads(sys.argv[1]))))

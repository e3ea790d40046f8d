"""Study stairs: the time of one launch of a sweep against its number of points."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from everlet.lab.results import Outcome, clock_of, plot, study
from everlet.lu import loops
from everlet.lu.fields import Block, Fields
from everlet.lu.problem import CLASSES
from everlet.perf import options, record
from everlet.portable import Space, choose, devices, kernels
from everlet.portable.batch import collected
from everlet.portable.graphs import Graph
from everlet.portable.programs import register_lanes

ROW = 64  # points of a row: a work group of the source
KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "points": (options.positive, 0), "device": (options.one_of(*devices.names()), "cpu"), "threads": (options.positive, 1),
    "repeat": (options.positive, 9), "out": (options.word, "study"),
}
USAGE = "everlet study stairs [--points 18000] [--device cpu] [--threads 1] [--repeat 9] [--out FOLDER]"
SOURCE = {"C1060": 30 * 64, "C2050": 14 * 64 * 8}  # points of a stair


@study("stairs")
def stairs(words: list[str]) -> Outcome:
    """everlet study stairs [--points 18000] [--device cpu] [--threads 1] [--repeat 9] [--out FOLDER]
    Microseconds of a launch that sweeps points of one i + j + k, for 64, 128, … points: linear, or in stairs, where groups of
    threads fill the units of a device once more. Default: up to 4096 points on CPUs, 18 000 on GPUs."""
    given = options.parse(words, KNOWN, USAGE)
    space = choose(given["device"], given["threads"] if given["device"] == "cpu" else 0)
    most = given["points"] or (18000 if space.many_threads else 4096)
    rows = measure(space, max(most // ROW, 8), given["repeat"])
    table, said = _text(rows, space)
    content = {**record.stamp(space), "source": SOURCE, "rows": rows, "conclusion": said}
    return given["out"], "stairs", content, f"{table}\n{said}"


def measure(space: Space, most: int, repeat: int) -> list[dict[str, Any]]:
    """Microseconds for 1 … most rows: all residuals are zero and stay so."""
    problem = replace(CLASSES["A"], n=most + 2 * ROW)
    fields = Fields(Block(problem, (1, 1, 1), (most + ROW, ROW, most)), space, "skewed", "double")
    fields.w_swept.data[:] = 1
    swept = fields.swept
    kernel = loops.kernels("double", 0, register_lanes(np.float64))["planes"]
    pieces, piece = (ROW, 1) if space.many_threads else (1, ROW)
    plane, often = most + ROW - 2, 20
    where = (swept.first, swept.pk, swept.pd, swept.pj, swept.step, swept.apart, 1)
    arrays = (fields.of_sweeps[0], fields.w_swept, fields.r_swept)
    counts = set(range(1, min(most, 64) + 1)) | set(np.linspace(1, most, 120).astype(int).tolist())
    rows = []
    for count in sorted(counts):
        with collected(space) as found:
            for _ in range(often):
                kernels.parallel_for(space, count * pieces, kernel, plane, 0, most + ROW, ROW, pieces, piece, *where, *arrays)
        graph = Graph(space, found)
        graph.replay()
        times = [_seconds(space, graph.replay) / often for _ in range(repeat)]
        graph.close()
        rows.append({"points": count * ROW, "microseconds": 1e6 * statistics.median(times)})
    return rows


def _seconds(space: Space, work: Callable[[], None]) -> float:
    """CPU time of one thread, else by the wall clock."""
    clock = clock_of(space)
    space.synchronize()
    begin = clock()
    work()
    space.synchronize()
    return clock() - begin


def fitted(rows: list[dict[str, Any]]) -> tuple[float, float, float]:
    """T = a + b points in microseconds: a, b, and the largest distance from it as a part of the largest time."""
    x, y = (np.array([row[name] for row in rows], float) for name in ("points", "microseconds"))
    b, a = np.polyfit(x, y, 1)
    return float(a), float(b), float(np.median(np.abs(a + b * x - y)) / y.max())


def jumps(rows: list[dict[str, Any]]) -> list[int]:
    """Points at which the time rises by more than a tenth of its whole range, and more than three times as the fit says."""
    y = [row["microseconds"] for row in rows]
    _, slope, _ = fitted(rows)
    return [b["points"] for a, b in itertools.pairwise(rows)
            if b["microseconds"] - a["microseconds"] > max(0.1 * (max(y) - min(y)), 3 * slope * (b["points"] - a["points"]))]


def _text(rows: list[dict[str, Any]], space: Space) -> tuple[str, str]:
    """The table, and what it says."""
    a, b, off = fitted(rows)
    shown = [row for number, row in enumerate(rows) if number % max(1, len(rows) // 16) == 0]
    table = record.table(["points", "us", "fit us"], [[str(row["points"]), f"{row['microseconds']:.2f}",
                                                       f"{a + b * row['points']:.2f}"] for row in shown])
    found = jumps(rows)
    said = f"stairs at {', '.join(map(str, found))} points" if found else "no stairs"
    why = ": a core does one row after the other"
    if space.many_threads:
        why = ": all points up to here are in flight at once, or units get new groups one by one"
    verdict = "holds here" if found else f"does not hold here{why}"
    return table, (f"Here a launch takes {a:.2f} us and {1e3 * b:.3f} ns for each point; typical distance from that "
            f"{100 * off:.1f} % of the largest time; {said}.\nSource: stairs of {SOURCE['C1060']} points on a C1060 (30 units "
            f"of 64), of {SOURCE['C2050']} on a C2050, where time is linear in between. The conclusion that kernel times are "
            f"stairs {verdict}.")


@plot("stairs")
def _plot(figure: Any, rows: list[dict[str, Any]]) -> None:
    panel = figure.subplots()
    panel.plot([row["points"] for row in rows], [row["microseconds"] for row in rows], marker=".", label="measured")
    a, b, _ = fitted(rows)
    panel.plot([row["points"] for row in rows], [a + b * row["points"] for row in rows], label="linear fit")
    panel.set(xlabel="points of a launch", ylabel="microseconds")
    panel.set_ylim(bottom=0)
    panel.grid(alpha=0.3)
    panel.legend()

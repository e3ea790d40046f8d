"""Study kblocking: how many planes k between messages, and whether hyperplanes go on over the borders of blocks."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError
from everlet.lab.results import Outcome, plot, study
from everlet.lu.jobs import row_of
from everlet.lu.problem import CLASSES
from everlet.lu.schedule import POLICIES, Planes, schedule
from everlet.perf import options, record
from everlet.portable import choose, devices

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "class": (options.one_of(*CLASSES), "W"), "ranks": (options.many(options.positive), [1, 2]),
    "kblock": (options.many(options.positive), []), "device": (options.one_of(*devices.names()), "cpu"),
    "threads": (options.positive, 1), "steps": (options.positive, 5),
    "repeat": (options.positive, 3), "out": (options.word, "study"),
}
USAGE = "everlet study kblocking [--class W] [--ranks 1,2] [--kblock 1,4,31] [--device cpu] ..."
MUCH = 1.5  # times as slow
# seconds of class C on Tesla C1060: nodes, planes of a block, old, new blocking
SOURCE = [(4, 1, 759.99, 80.81), (4, 81, 67.25, 77.13), (8, 1, 554.34, 74.94), (8, 41, 52.92, 61.34), (16, 1, 381.06, 77.50),
          (16, 41, 44.46, 55.60)]


@study("kblocking")
def kblocking(words: list[str]) -> Outcome:
    """everlet study kblocking [--class W] [--ranks 1,2] [--kblock 1,2,4,…] [--device cpu] [--threads 1] [--steps 5]
                            [--repeat 3] [--out FOLDER]
    Seconds of an iteration of LU with old and new blocking against the planes of a block, beside those of the source."""
    given = options.parse(words, KNOWN, USAGE)
    problem = CLASSES[given["class"]]
    nz = problem.n - 2
    sizes = given["kblock"] or sorted({1, 2, 4, 8, 16, nz // 2, nz} & set(range(1, nz + 1)))
    if max(sizes) > nz:
        raise InputError(f"--kblock {max(sizes)}: class {problem.name} has {nz} planes", f"use at most {nz}")
    threads = ["--threads", str(given["threads"])] if given["device"] == "cpu" else []
    rows = []
    for ranks in given["ranks"]:
        for kblock in sizes:
            for policy in POLICIES:
                row = row_of(ranks, ["--class", problem.name, "--algorithm", "blocked", "--blocking", policy, "--kblock",
                                     str(kblock), "--steps", str(given["steps"]), "--repeat", str(given["repeat"]), "--device",
                                     given["device"], *threads])
                alone = ranks == row["threads"] == 1 and row["target"] == "cpu"  # then others may use the machine, too
                row["seconds_of_iteration"] = row["cpu_seconds" if alone else "seconds"] / row["iterations"]
                row["launches"] = _launches(policy, row, nz)
                rows.append(row)
    table, said = _text(rows, problem.name)
    content = {**record.stamp(choose(given["device"], 1 if threads else 0)), "source": SOURCE, "rows": rows, "conclusion": said}
    return given["out"], "kblocking", content, f"{table}\n{said}"


def _launches(policy: str, row: dict[str, Any], nz: int) -> int:
    nx, ny = (-(-nz // parts) for parts in row["ranks"][:2])
    return sum(len(step.planes) for step in schedule("blocked", policy, nx, ny, nz, row["kblock"]) if isinstance(step, Planes))


def _times(rows: list[dict[str, Any]], ranks: int, policy: str) -> dict[int, float]:
    return {row["kblock"]: row["seconds_of_iteration"] for row in rows
            if (row["ranks_in_all"], row["blocking"]) == (ranks, policy)}


def _loss(times: dict[int, float]) -> float:
    """What the smallest blocks take by the best ones."""
    return times[min(times)] / min(times.values())


def _text(rows: list[dict[str, Any]], name: str) -> tuple[str, str]:
    """The table, and what it says."""
    lines, said = [], []
    for ranks in dict.fromkeys(row["ranks_in_all"] for row in rows):
        old, new = _times(rows, ranks, "old"), _times(rows, ranks, "new")
        lines += [[f"{name}, ranks: {ranks}", str(kblock), f"{1e3 * old[kblock]:.2f}", f"{1e3 * new[kblock]:.2f}",
                   f"{old[kblock] / new[kblock]:.2f}"] for kblock in old]
        least = min(old)
        gain, loss = old[least] / min(old.values()), min(new.values()) / min(old.values())
        said.append(f"Ranks: {ranks}. Old blocking with blocks of {least} takes {gain:.1f} times as long as with the best, new "
                    f"blocking {new[least] / min(new.values()):.1f} times; the best of new over the best of old: {loss:.2f}.")
    shown = [[f"source: C, {nodes} C1060", str(kblock), f"{4 * old:.0f}", f"{4 * new:.0f}", f"{old / new:.2f}"]
             for nodes, kblock, old, new in SOURCE]  # 250 iterations: milliseconds of one
    table = record.table(["class, ranks", "planes of a block", "old ms", "new ms", "old / new"], [*lines, *shown])
    slow = {policy: [_loss(_times(rows, ranks, policy)) > MUCH for ranks in dict.fromkeys(row["ranks_in_all"] for row in rows)]
            for policy in POLICIES}
    verdict = ("does not hold here: a launch is cheap beside the points of a plane" if not all(slow["old"]) else
               "does not hold here: they are slow with both" if any(slow["new"]) else "holds")
    source = ("Source: small blocks are ruinous with old blocking (9 to 11 times) and harmless with new; with large blocks the "
              f"old is 1.15 to 1.25 times as fast. The conclusion that new blocking makes small blocks usable {verdict}.")
    return table, "\n".join([*said, source])


@plot("kblocking")
def _plot(figure: Any, rows: list[dict[str, Any]]) -> None:
    panel = figure.subplots()
    for ranks in dict.fromkeys(row["ranks_in_all"] for row in rows):
        for policy in POLICIES:
            points = sorted(_times(rows, ranks, policy).items())
            panel.plot(*zip(*points, strict=True), marker="o", label=f"ranks: {ranks}, {policy}")
    panel.set(xscale="log", yscale="log", xlabel="planes k of a block", ylabel="seconds of an iteration")
    panel.grid(alpha=0.3)
    panel.legend()

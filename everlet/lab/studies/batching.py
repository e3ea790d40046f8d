"""everlet study batching: how much a thread of a GPU should do in SNAP, and what that gains in each stage.

Neighbours: 32 threads share those of an atom, so that each has one of them (atoms of the benchmarks have 26 or fewer within
the cutoff); fewer threads have several each, one after the other (`package everlet team N`): stages ComputeU and FusedForce.
Products: a thread reads the factors of one product, or of several before any is used (`package everlet ahead N`): stage
ComputeY. Times are those of study profile, whose map of kernels to stages is used, too.
"""

from __future__ import annotations

import gc
from dataclasses import asdict, replace
from typing import Any

from everlet.errors import InputError
from everlet.lab.results import Outcome, plot, study
from everlet.lab.studies import profile
from everlet.perf import bench, options, plots, record, roofline
from everlet.perf.runs import Case
from everlet.perf.systems import SAMPLES, STAGES
from everlet.portable import choose

USAGE = "everlet study batching [--system snap|snap-ta] [--atoms N,…] [--device cuda] ...; see everlet study --help"
TEAMS, AHEADS = (32, 16, 8, 4), (1, 2, 4, 8)  # the first of each is no batching
TEAM, AHEAD = 32, 4  # while the other is turned
NAMES = tuple(dict.fromkeys(STAGES.values()))
SIZES = [65536]
PUBLISHED = {"ComputeU": 2.23, "ComputeY": 1.54, "FusedForce": 1.49}  # H100, four together
BATCHING: dict[str, tuple[options.Reader, Any]] = {
    "device": bench.KNOWN["device"], "system": (options.one_of(*(name for name, one in SAMPLES.items() if one.stages)), "snap"),
    "atoms": (options.many(options.positive), SIZES), "cycles": (options.positive, 9), "out": (options.word, "study"),
}
Row = dict[str, Any]

plot("batching")(plots.batching)


@study("batching")
def batching(words: list[str]) -> Outcome:
    """everlet study batching [--system snap|snap-ta] [--atoms 65536] [--cycles 9] [--device cuda] [--out FOLDER]

    (GPU) Neighbours of an atom and products that a thread of snap does together: what each stage of the method takes, and the
    ratio to one neighbour for each thread and one product at a time. Published: an H100, with four together."""
    given = options.parse(words, BATCHING, USAGE)
    if bench.target(given["device"]) != "cuda":
        raise InputError(f"study batching is for GPUs: on {given['device']} lanes are atoms, and a thread does all neighbours "
                         "and products of its own", "use --device cuda")
    space = choose(given["device"], 1)
    content: dict[str, Any] = {**record.stamp(space), "peaks": asdict(roofline.peaks(space)), "rows": [], "kernels": []}
    tables = []
    for atoms in given["atoms"]:
        rows, kernels = measure(Case(atoms, device=given["device"], system=given["system"]), given["cycles"])
        content["rows"] += rows
        content["kernels"] += kernels
        tables.append(text(rows))
    content["conclusion"] = conclusion(content["rows"])
    return given["out"], "batching", content, "\n\n".join([*tables, content["conclusion"]])


def measure(case: Case, cycles: int) -> tuple[list[Row], list[Row]]:
    """Rows of both tables, with ratios to their first ones; and the kernels of every profile."""
    turned = {"neighbours": [(team, AHEAD) for team in TEAMS], "products": [(TEAM, ahead) for ahead in AHEADS]}
    known: dict[tuple[int, int], Row] = {}
    kernels = []
    for team, ahead in dict.fromkeys(pair for pairs in turned.values() for pair in pairs):
        gc.collect()  # the arrays of the simulation before
        found, cycle = profile.measure(replace(case, team=team, ahead=ahead), cycles)
        shape = {"system": case.system, "atoms": cycle["atoms"], "team": team, "ahead": ahead}
        spent = {name: sum(row["microseconds"] for row in found if row["stage"] == name) for name in NAMES}
        known[team, ahead] = {**shape, "microseconds": {name: total / cycle["steps"] for name, total in spent.items()},
                              "step_microseconds": cycle["graph_microseconds"] / cycle["steps"]}
        kernels += [{**shape, **row} for row in found]
    rows = []
    for what, pairs in turned.items():
        first = known[pairs[0]]["microseconds"]
        for pair in pairs:
            mine = known[pair]["microseconds"]
            rows.append({"batched": what, **known[pair], "gain": {name: first[name] / mine[name] for name in NAMES}})
    return rows, kernels


def conclusion(rows: list[Row]) -> str:
    """The best gain of each stage beside the published one."""
    best = {name: max(row["gain"][name] for row in rows) for name in PUBLISHED}
    said = ", ".join(f"{name} {best[name]:.2f} (published {value})" for name, value in PUBLISHED.items())
    some = [name for name in PUBLISHED if best[name] > 1.1]
    verdict = "holds" if len(some) == len(PUBLISHED) else f"holds for {', '.join(some)} only" if some else "does not hold"
    return f"Best gains: {said}. That a thread should do several things together {verdict} here"


def text(rows: list[Row]) -> str:
    """A table for neighbours and one for products."""
    words = {"neighbours": ("threads that share the neighbours of an atom", f"{TEAMS[0]} threads: one neighbour for each"),
             "products": ("products whose factors a thread reads before any is used", "one product at a time")}
    tables = []
    for what, (title, first) in words.items():
        mine = [row for row in rows if row["batched"] == what]
        head = ["team" if what == "neighbours" else "ahead", *(word for name in NAMES for word in (name, "x")), "step"]
        lines = [[str(row[head[0]]), *(word for name in NAMES for word in
                                       (f"{row['microseconds'][name]:.1f}", f"{row['gain'][name]:.2f}")),
                  f"{row['step_microseconds']:.1f}"] for row in mine]
        fixed = f"ahead {AHEAD}" if what == "neighbours" else f"team {TEAM}"
        tables.append(f"{mine[0]['system']}, {mine[0]['atoms']} atoms, {fixed}: {title}\nus/step, and times as fast as with "
                      f"{first}\n" + record.table(head, lines))
    return "\n\n".join(tables)

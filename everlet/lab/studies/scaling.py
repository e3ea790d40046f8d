"""everlet study weak and strong: the melt on more and more ranks or threads."""

from __future__ import annotations

import time
from typing import Any

from everlet.errors import InputError
from everlet.lab import costs
from everlet.lab.machine import HERE, load
from everlet.lab.reading import job_of
from everlet.lab.results import OUT, Outcome, Row, lines_over, outcome, plot, study
from everlet.lab.studies.plan import on_ranks
from everlet.perf import options
from everlet.perf.plots import Plot
from everlet.perf.runs import WARM, Case, prepared
from everlet.portable.spaces import cores

COMMON: dict[str, tuple[options.Reader, Any]] = {
    "ranks": (options.many(options.positive), []), "threads": (options.many(options.positive), []),
    "cutoff": (options.many(options.length), [2.5]), "steps": (options.positive, 60), **OUT}
WEAK = {**COMMON, "atoms": (options.positive, 32000)}
STRONG = {**COMMON, "atoms": (options.positive, 256000)}
PUBLISHED_CORES = 16
SLOWER = {2.5: 24.0, 5.0: 6.0}  # percent, 16 cores with 32 000 atoms each
TIMES = {"milliseconds": "ms/step", "predicted": "predicted", "off": "off %"}
FASTER = {2.5: 12.0, 5.0: 14.0}  # times, 16 cores, 1 372 000 atoms


def _wanted(given: dict[str, Any]) -> tuple[str, list[int]]:
    if given["ranks"] and given["threads"]:
        raise InputError("both --ranks and --threads are given", "study one of them")
    most = max([*given["ranks"], *given["threads"]], default=1)
    if most > cores():
        raise InputError(f"{most} {'ranks' if given['ranks'] else 'threads'} on {cores()} cores: each needs one of its own",
                         f"ask for {cores()} at most")
    usual = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= cores()]
    return ("threads", given["threads"]) if given["threads"] else ("ranks", given["ranks"] or usual)


def _seconds(kind: str, many: int, atoms: int, cutoff: float, steps: int) -> float:
    """Of a step, by the wall clock."""
    case = Case(atoms, cutoff, steps, threads=many if kind == "threads" else 1)
    if kind == "ranks" and many > 1:
        return on_ranks(case, many)[0]
    sim = prepared(case)
    sim.run(WARM, post=False)
    begin = time.perf_counter()
    sim.run(steps, pre=False)
    return (time.perf_counter() - begin) / steps


def predicted(kind: str, many: int, atoms: int, cutoff: float) -> float | None:
    """Seconds of a step by the model, if this machine was measured."""
    machine = load(HERE)
    if "step" not in machine.md:
        return None
    job = job_of(prepared(Case(atoms, cutoff, device="serial")), 0)
    return costs.on_core(job, machine, many if kind == "ranks" else 1, many if kind == "threads" else 1).total


def _said(rows: list[Row]) -> str:
    off = [abs(row["off"]) for row in rows if row["off"] is not None]
    return f"; predictions are {sum(off) / len(off):.0f} % off in the mean" if off else ""


def _rows(given: dict[str, Any], weak: bool) -> tuple[str, list[Row]]:
    kind, many = _wanted(given)
    rows: list[Row] = []
    for cutoff in given["cutoff"]:
        first = 0.0
        for count in many:
            atoms = given["atoms"] * (count if weak else 1)
            seconds = _seconds(kind, count, atoms, cutoff, given["steps"])
            first = first or seconds * (1 if weak else count)
            said = predicted(kind, count, atoms, cutoff)
            rows.append({kind: count, "cutoff": cutoff, "atoms": atoms, "milliseconds": 1e3 * seconds,
                         "predicted": said and 1e3 * said, "off": said and 100.0 * (said / seconds - 1.0),
                         "slower": 100.0 * (seconds / first - 1.0) if weak else None,
                         "faster": None if weak else first / seconds,
                         "published": (SLOWER if weak else FASTER).get(cutoff) if count == PUBLISHED_CORES else None})
    return kind, rows


def _drawn(values: dict[str, str], ylabel: str) -> Plot:
    def draw(figure: Any, rows: list[Row]) -> None:
        kind = "threads" if "threads" in rows[0] else "ranks"
        lines_over(kind, kind, values, ylabel, by="cutoff")(figure, rows)

    return draw


plot("weak")(_drawn({"milliseconds": "measured", "predicted": "predicted"}, "milliseconds of a step"))
plot("strong")(_drawn({"faster": "measured", "published": "published"}, "times faster"))


def _so_far(rows: list[Row], kind: str) -> str:
    return "holds" if max(row[kind] for row in rows) >= PUBLISHED_CORES else "holds so far"


@study("weak")
def weak(words: list[str]) -> Outcome:
    """everlet study weak [--atoms 32000] [--ranks 1,2,… | --threads 1,2,…] [--cutoff 2.5] [--steps 60] [--out FOLDER]

    So many atoms of the melt for each rank or thread: how much slower steps become. Published: 24 % on 16 cores, 6 % at
    cutoff 5. By the wall clock: the cores must be free."""
    given = options.parse(words, WEAK, "everlet study weak [options]; see everlet study --help")
    kind, rows = _rows(given, True)
    worst = max(row["slower"] for row in rows)
    said = (f"up to {max(row[kind] for row in rows)} {kind} steps become {worst:.0f} % slower; "
            f"published: 24 % on 16 cores: {_so_far(rows, kind) if worst <= 30 else 'not here (were all cores free?)'}"
            + _said(rows))
    columns = {kind: kind, "cutoff": "r_c", "atoms": "atoms", **TIMES, "slower": "slower %", "published": "published %"}
    return outcome(given, "weak", rows, columns, said)


@study("strong")
def strong(words: list[str]) -> Outcome:
    """everlet study strong [--atoms 256000] [--ranks 1,2,… | --threads 1,2,…] [--cutoff 2.5] [--steps 60] [--out FOLDER]

    The same melt on more and more ranks or threads. Published: 12 times on 16 cores with 1 372 000 atoms, 14 at cutoff 5.
    By the wall clock: the cores must be free."""
    given = options.parse(words, STRONG, "everlet study strong [options]; see everlet study --help")
    kind, rows = _rows(given, False)
    last = max(rows, key=lambda row: row[kind])
    share = last["faster"] / last[kind]
    said = (f"{last['faster']:.2f} times on {last[kind]} {kind}, {100 * share:.0f} % of ideal; published 75 % on 16 cores: "
            f"{_so_far(rows, kind) if share >= 0.75 else 'less here (were all cores free?)'}" + _said(rows))
    columns = {kind: kind, "cutoff": "r_c", "atoms": "atoms", **TIMES, "faster": "times faster", "published": "published"}
    return outcome(given, "strong", rows, columns, said)

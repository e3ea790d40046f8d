"""everlet study ladder: what each way to write the force loop adds."""

from __future__ import annotations

from typing import Any

from everlet.lab.results import OUT, Outcome, Row, bars, outcome, plot, study
from everlet.perf import options
from everlet.perf.bench import Result, refusal
from everlet.perf.runs import Case, everlet

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.positive, 32000), "cutoff": (options.length, 2.5), "steps": (options.positive, 40),
    "repeat": (options.positive, 2), **OUT}
STEPS = {  # each with what it changes
    "cells, no list": {"scheme": "cells"}, "full list, newton off": {"scheme": "full", "newton": False},
    "half list": {"scheme": "half"}, "lanes along atoms": {"scheme": "windows"}, "clusters": {"scheme": "clusters"},
    "half list, mixed": {"scheme": "half", "precision": "mixed"},
    "lanes along atoms, mixed": {"scheme": "windows", "precision": "mixed"},
    "clusters, mixed": {"scheme": "clusters", "precision": "mixed"},
}

plot("ladder")(bars("way", {"rate": "million atom-steps per CPU second"}, "M/s"))


@study("ladder")
def ladder(words: list[str]) -> Outcome:
    """everlet study ladder [--atoms 32000] [--cutoff 2.5] [--steps 40] [--repeat 2] [--out FOLDER]

    The melt on one core with one way after the other to visit pairs: cells without a list, full and half lists, lanes along
    atoms, clusters, then positions of 32 bits; atom-steps per CPU second, and times the first. Published: layout, vector
    types and unrolling together gave more than twice the rate, on one processor 11 times."""
    given = options.parse(words, KNOWN, "everlet study ladder [options]; see everlet study --help")
    rows: list[Row] = []
    for name, change in STEPS.items():
        case = Case(given["atoms"], given["cutoff"], given["steps"], **change)  # type: ignore[arg-type]
        if why := refusal(Case(500, given["cutoff"], 0, **change)):  # type: ignore[arg-type]
            rows.append({"way": name, "why_not": why})
            continue
        found = Result("everlet", case, [everlet(case) for _ in range(given["repeat"])])
        rows.append({"way": name, "rate": found.rate(cpu=True) / 1e6,
                     "force": 1e9 * found.shown.phases["Pair"] / found.shown.atoms / given["steps"]})
    first = next(row["rate"] for row in rows if "rate" in row)
    for row in rows:
        row["times"] = row["rate"] / first if "rate" in row else None
    best = max((row for row in rows if "rate" in row), key=lambda row: row["rate"])
    holds = "holds" if best["times"] > 2 else "does not hold"
    said = (f"the best way, {best['way']}, is {best['times']:.1f} times the first; that such choices together give more than "
            f"twice the rate {holds} here. All of them compile to vector code: there is no scalar step")
    columns = {"way": "way", "rate": "M/cpu-s", "force": "force ns/atom", "times": "times the first",
               "why_not": "not run because"}
    return outcome(given, "ladder", rows, columns, said)

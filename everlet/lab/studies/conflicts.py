"""everlet study conflicts: lanes along atoms against lanes along neighbours."""

from __future__ import annotations

from typing import Any

from everlet.lab.results import OUT, Outcome, Row, lines_over, outcome, plot, study
from everlet.perf import options
from everlet.perf.runs import Case, everlet

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.positive, 256000), "cutoff": (options.many(options.length), [1.5, 2.5, 5.0]),
    "steps": (options.positive, 20), **OUT}
PUBLISHED = {1.5: (0.89, 0.73, 0.84), 2.5: (1.21, 0.98, 1.17), 5.0: (1.25, 1.05, 1.16)}  # window 1, 64, all

RATIOS = {"ratio": "forces", "with_lists": "forces and lists", "window 1": "published 1", "window 64": "published 64",
          "window all": "published all"}
plot("conflicts")(lines_over("cutoff", "cutoff (sigma)", RATIOS, "time by that of lanes along neighbours"))


@study("conflicts")
def conflicts(words: list[str]) -> Outcome:
    """everlet study conflicts [--atoms 256000] [--cutoff 1.5,2.5,5.0] [--steps 20] [--out FOLDER]

    Time of the pair forces of a melt with a lane for each atom (scheme windows: rows are arranged when lists are built so
    that no two lanes write to one atom) by that with lanes along the neighbours of one atom (scheme half). Published: windows
    of 1, 64 and all atoms within which the neighbours are sorted."""
    given = options.parse(words, KNOWN, "everlet study conflicts [options]; see everlet study --help")
    rows: list[Row] = []
    for cutoff in given["cutoff"]:
        runs = {scheme: everlet(Case(given["atoms"], cutoff, given["steps"], scheme)) for scheme in ("half", "windows")}
        pair = {name: run.phases["Pair"] for name, run in runs.items()}
        whole = {name: run.phases["Pair"] + run.phases["Neigh"] for name, run in runs.items()}
        one, many, every = PUBLISHED.get(cutoff, (None, None, None))
        rows.append({"cutoff": cutoff, "atoms": runs["half"].atoms, "ratio": pair["windows"] / pair["half"],
                     "with_lists": whole["windows"] / whole["half"], "window 1": one, "window 64": many, "window all": every})
    short = min(rows, key=lambda row: row["cutoff"])["ratio"]
    long = max(rows, key=lambda row: row["cutoff"])["ratio"]
    holds = short < 0.95 * long
    said = (f"lanes along atoms take {short:.2f} of the time at the shortest cutoff and {long:.2f} at the longest; that they "
            f"pay for short rows and less for long ones {'holds' if holds else 'does not hold'} here")
    return outcome(given, "conflicts", rows, {"cutoff": "r_c", "atoms": "atoms", **RATIOS}, said)

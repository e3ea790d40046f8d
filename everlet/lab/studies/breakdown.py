"""everlet study breakdown: where the time of a step goes."""

from __future__ import annotations

from typing import Any

from everlet.lab.results import OUT, Outcome, bars, outcome, plot, study
from everlet.perf import options
from everlet.perf.runs import Case, everlet

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.positive, 256000), "cutoff": (options.many(options.length), [2.5, 5.0]),
    "steps": (options.positive, 40), **OUT}
PUBLISHED = {2.5: (63.9, 13.5, 9.5, 13.1), 5.0: (86.0, 6.9, 4.1, 3.0)}  # 2 048 000 atoms, AVX
PARTS = ("force", "neigh", "comm", "other")

SHARES = {key: key for part in PARTS for key in (part, f"published {part}")}
plot("breakdown")(bars("cutoff", SHARES, "percent of a step"))


@study("breakdown")
def breakdown(words: list[str]) -> Outcome:
    """everlet study breakdown [--atoms 256000] [--cutoff 2.5,5.0] [--steps 40] [--out FOLDER]

    Shares of force, neigh, comm and other in a step of the melt on one core, beside those of hand-written vector code."""
    given = options.parse(words, KNOWN, "everlet study breakdown [options]; see everlet study --help")
    rows = []
    for cutoff in given["cutoff"]:
        run = everlet(Case(given["atoms"], cutoff, given["steps"]))
        shares = [100.0 * run.phases.get(name, 0.0) / run.cpu for name in ("Pair", "Neigh", "Comm")]
        shares.append(100.0 - sum(shares))
        row = {"cutoff": cutoff, "atoms": run.atoms, "ns_per_atom": 1e9 * run.cpu / run.atoms / given["steps"]}
        row |= dict(zip(PARTS, shares, strict=True))
        row |= {f"published {part}": value for part, value in zip(PARTS, PUBLISHED.get(cutoff, (None,) * 4), strict=True)}
        rows.append(row)
    grows = len(rows) > 1 and rows[-1]["force"] > rows[0]["force"]
    shares_of = [f"{row['force']:.0f} % at r_c {row['cutoff']:g}" for row in rows]
    said = f"forces take {', '.join(shares_of)}"
    if len(rows) > 1:
        said += "; that a longer cutoff moves work from lists to forces " + ("holds here" if grows else "does not hold here")
    columns = {"cutoff": "r_c", "atoms": "atoms", "ns_per_atom": "ns/atom", **SHARES}
    return outcome(given, "breakdown", rows, columns, said)

"""Study cycles: what single operations take here, beside published processors."""

from __future__ import annotations

from typing import Any

from everlet.lab.machine import thesis
from everlet.lab.results import OUT, Outcome, Row, bars, outcome, plot, study
from everlet.perf import micro, options
from everlet.portable import choose

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "device": (options.one_of("cpu", "serial", "cuda"), "cpu"), "precision": (options.one_of(*micro.PRECISIONS), "double"),
    **OUT}
OPERATIONS = ("add", "mul", "fma", "div", "sqrt", "exp", "sin", "cos", "erfc")
COSTLY = ("exp", "sin", "cos", "erfc")

plot("cycles")(bars("operation", {f"{place} by add": place for place in ("here", *thesis()["cycles"])}, "times an addition",
                    log=True))


@study("cycles")
def cycles(words: list[str]) -> Outcome:
    """everlet study cycles [--device cpu|cuda] [--precision double] [--out FOLDER]

    Cycles of a core, or of a multiprocessor, for one operation when many are under way (`everlet micro`), and times an
    addition, beside those of five published processors."""
    given = options.parse(words, KNOWN, "everlet study cycles [options]; see everlet study cycles --help")
    space, known = micro.one_unit(choose(given["device"], 1)), thesis()["cycles"]
    rows: list[Row] = []
    for name in OPERATIONS:
        found = micro.figures(space, name, given["precision"])
        one = "add" if name in ("mul", "fma") else name  # the source has one number for the three
        rows.append({"operation": name, "here": found["throughput"][0], "latency": found["latency"][0],
                     **{processor: table[one] for processor, table in known.items()}})
    base = {place: rows[0][place] for place in ("here", *known)}
    for row in rows:
        row |= {f"{place} by add": row[place] / base[place] for place in ("here", *known)}
    columns = {"operation": "operation", "here": "here", "latency": "latency", **{name: name for name in known},
               "here by add": "here / add"}
    return outcome(given, "cycles", rows, columns, conclusion(rows), space)


def conclusion(rows: list[Row]) -> str:
    """Whether operations cost here, beside an addition, what they cost in the source."""
    said, inside = [], True
    for row in rows:
        if row["operation"] in ("div", "sqrt", *COSTLY):
            published = [value for name, value in row.items() if name.endswith(" by add") and name != "here by add"]
            inside = inside and 0.5 * min(published) <= row["here by add"] <= 2.0 * max(published)
            said.append(f"{row['operation']} {row['here by add']:.0f} ({min(published):.0f} to {max(published):.0f})")
    verdict = "holds here" if inside else "holds here, too, though some ratios are outside of that range"
    return (f"times an addition, published in brackets: {', '.join(said)}. That peak rates say little about sums with roots "
            f"and special functions {verdict}")

"""Study ewald: how the time of a sum over charges grows with their number."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError
from everlet.lab.results import OUT, Outcome, Row, lines_over, outcome, plot, study
from everlet.perf import nacl, options, roofline
from everlet.portable import choose

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "edge": (options.many(options.positive), [8, 12, 16, 24, 32]), "accuracy": (options.length, 1e-4),
    "device": (options.one_of("cpu", "cuda"), "cpu"), "repeat": (options.positive, 2), **OUT}
PUBLISHED = {"48 cores of a Skylake": 206.74, "V100": 71.56}  # seconds of 128³ ions, energies alone

plot("ewald")(lines_over("ions", "ions", {"seconds": "whole", "pairs": "pairs", "waves": "waves"}, "seconds", log=True))


@study("ewald")
def ewald(words: list[str]) -> Outcome:
    """everlet study ewald [--edge 8,12,16,24,32] [--accuracy 1e-4] [--device cpu|cuda] [--repeat 2] [--out FOLDER]

    Seconds of one Ewald sum of a crystal of rock salt against its ions, times the peak of the device in operations, and the
    power of N by which time grows. Published: N^1.5 to N²; 206.7 s for 128³ ions on 48 cores, 71.6 s on a V100."""
    given = options.parse(words, KNOWN, "everlet study ewald [options]; see everlet study ewald --help")
    for edge in given["edge"]:
        if edge % 2 or not nacl.SMALLEST <= edge <= nacl.LARGEST:
            raise InputError(f"--edge {edge}: ions on an edge are even, {nacl.SMALLEST} to {nacl.LARGEST}", "such as 8,16,32")
    space = choose(given["device"], 1)
    peak, ratio = roofline.peaks(space).double, nacl.RATIOS.get(space.target, nacl.CPU_RATIO)
    rows: list[Row] = []
    for edge in sorted(given["edge"]):
        cutoff = nacl.best_cutoff(edge, given["accuracy"], ratio, nacl.longest_cutoff(edge, space))
        one = nacl.measure("ewald", edge, cutoff, {**given, "threads": 1})
        row: Row = {"ions": one["ions"], "cutoff": cutoff, "vectors": one["vectors"], "seconds": one["seconds"]["all"],
                    "pairs": one["seconds"]["Pair"], "waves": one["seconds"]["Kspace"], "error": one["error"]}
        row["operations"] = row["seconds"] * peak
        row["power"] = nacl.exponent(rows[-1]["raw"], one) if rows else None
        rows.append({**row, "raw": one})
    whole = nacl.exponent(rows[0]["raw"], rows[-1]["raw"]) if len(rows) > 1 else 0.0
    large = rows[-1]["seconds"] * (128**3 / rows[-1]["ions"]) ** 1.5
    for row in rows:
        row.pop("raw")
    beside = ", ".join(f"{name} {seconds:g} s" for name, seconds in PUBLISHED.items())
    said = (f"time grows as N^{whole:.2f}; published: N^1.5 to N²: "
            f"{'holds' if 1.3 < whole < 2.1 else 'does not hold'} here. By N^1.5, 128³ ions would take {large:.3g} s; "
            f"published: {beside}")
    columns = {"ions": "ions", "cutoff": "r_c", "vectors": "vectors", "seconds": "s", "pairs": "pairs s", "waves": "waves s",
               "operations": "s x peak", "power": "N^", "error": "error of E"}
    return outcome(given, "ewald", rows, columns, said, space)

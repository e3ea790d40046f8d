"""everlet study gathers: what reading by index costs beside reading side by side."""

from __future__ import annotations

from typing import Any

from everlet.lab.results import OUT, Outcome, Row, bars, outcome, plot, study
from everlet.perf import micro, options
from everlet.portable import choose
from everlet.portable.kernels import lane_width

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "device": (options.one_of("serial", "cuda"), "serial"), "precision": (options.many(options.one_of("double", "single")),
                                                                          ["double", "single"]), **OUT}
PUBLISHED = {"128": (12.97, 10.34), "256": (11.48, 7.64), "512": (23.75, 11.78)}  # cycles of a neighbour: scalar gathers, best

plot("gathers")(bars("what", {"load": "side by side (published: best)", "gather": "by index (published: scalar)"}, "cycles"))


@study("gathers")
def gathers(words: list[str]) -> Outcome:
    """everlet study gathers [--device serial|cuda] [--precision double,single] [--out FOLDER]

    Cycles of a core (or multiprocessor) for a number that is read side by side with others, and for one read by index, from
    each cache and from memory. Published: cycles of a whole neighbour with scalar gathers and with the best ones, for registers
    of 128, 256 and 512 bits; data side by side made force loops 1.4 times (rows of atoms) to 2 times (columns) faster."""
    given = options.parse(words, KNOWN, "everlet study gathers [options]; see everlet study --help")
    space = micro.one_unit(choose(given["device"]))
    rows: list[Row] = []
    for precision in given["precision"]:
        load, gather = (micro.figures(space, name, precision) for name in ("load", "gather"))
        for place in load:
            side, index = load[place][0], gather[place][0]
            rows.append({"what": f"{precision}, {place}", "lanes": lane_width(space.target, precision), "load": side,
                         "gather": index, "ratio": index / side})
    for bits, (scalar, best) in PUBLISHED.items():
        rows.append({"what": f"published, a neighbour, {bits} bits", "load": best, "gather": scalar, "ratio": scalar / best})
    near = [row["ratio"] for row in rows if "first cache" in row["what"]]
    said = (f"a number by index costs {min(near):.1f} to {max(near):.1f} times one read side by side from the first cache: "
            f"that gathers are what wide registers wait for {'holds' if min(near) > 1.3 else 'does not hold'} here")
    columns = {"what": "precision, place", "lanes": "lanes", "load": "side by side", "gather": "by index", "ratio": "ratio"}
    return outcome(given, "gathers", rows, columns, said, space)

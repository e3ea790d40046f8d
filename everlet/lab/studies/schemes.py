"""Study schemes: every way to visit pairs, on every size, cutoff and precision."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from everlet.errors import InputError
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.lab.results import Outcome, plot, study
from everlet.perf import bench, options, plots, record
from everlet.portable import choose

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    **{name: bench.KNOWN[name] for name in ("cutoff", "precision", "threads", "device", "steps", "repeat", "against")},
    "scheme": (options.many(options.word), []), "sizes": (options.many(options.positive), [4000, 32000]),
    "out": (options.word, "study"),
}
SMALL = 4000
LARGE = 5000  # atoms beyond which schemes that visit all pairs are left out, unless they are named
LEVEL, GAIN = 256_000, (4.0, 5.0)  # published: rates are level from so many atoms on; vectors by scalar code
WITHOUT_LISTS = ("cells", "all")

plot("schemes")(plots.schemes)


@study("schemes")
def schemes(words: list[str]) -> Outcome:
    """everlet study schemes [--scheme NAME,…] [--cutoff 2.5,5.0] [--sizes 4000,32000] [--precision double,mixed]
                            [--threads 1,2] [--steps S] [--repeat 3] [--device cpu] [--against lmp] [--out FOLDER]

    The Lennard-Jones melt with every scheme, cutoff, size, precision and number of threads that is named (default: all
    schemes); rates per CPU second where one CPU thread runs, else by the wall clock. A scheme may have options: --scheme
    "half branch yes,half branch no" skips pairs beyond the cutoff, or computes and masks them."""
    given = options.parse(words, KNOWN, "everlet study schemes [options]; see everlet study schemes --help")
    stamp = record.stamp(choose(given["device"], max(given["threads"])))
    wanted = bench.cases({**given, "atoms": 0, "scheme": given["scheme"] or list(pair_scheme)})
    if not given["scheme"]:
        wanted = [case for case in wanted if case.scheme != "all" or 4 * case.cells**3 <= LARGE]
    small = [replace(case, atoms=SMALL, steps=0, threads=1) for case in wanted]  # what refuses, refuses at any size
    why = {case: bench.refusal(case) for case in dict.fromkeys(small)}
    usable = [case for case, like in zip(wanted, small, strict=True) if not why[like]]
    refused = [f"{case.scheme} {case.precision} r_c {case.cutoff:g}: {cause}" for case, cause in why.items() if cause]
    if not usable:
        raise InputError("no scheme can run any of these cases", "\n     ".join(refused))
    rows = bench.figures(bench.bench(usable, given["repeat"], given["against"] == "lmp"))
    for row, case in zip(rows, usable, strict=False):
        row["scheme"] = case.scheme or row["scheme"]  # with its options
    said = conclusion(rows)
    table = "\n".join([bench.text(rows), *(f"not run: {line}" for line in refused), said])
    return given["out"], "schemes", {**stamp, "rows": rows, "refused": refused, "conclusion": said}, table


def conclusion(rows: list[dict[str, Any]]) -> str:
    """What the sources say about sizes, lists and branches, beside these rows."""
    mine = [row for row in rows if row["who"] == "everlet"]
    best: dict[tuple[float, int], dict[str, Any]] = {}
    for row in mine:
        key = row["cutoff"], row["atoms"]
        if key not in best or plots.speed(row) > plots.speed(best[key]):
            best[key] = row
    said = []
    for cutoff in dict.fromkeys(key[0] for key in best):
        sizes = sorted(atoms for r, atoms in best if r == cutoff)
        rates = [plots.speed(best[cutoff, atoms]) for atoms in sizes]
        far = max(rates) / min(rates) - 1.0
        text = f"r_c {cutoff:g}: best is {bench.label(best[cutoff, sizes[-1]])}"
        if len(sizes) > 1:
            text += (f"; from {sizes[0]} to {sizes[-1]} atoms the best rate changes by {100 * far:.0f} %: published rates are "
                     f"level from {LEVEL} atoms on, here {'from the smallest' if far < 0.25 else 'not from the smallest'} on")
        plain = [plots.speed(row) for row in mine if row["cutoff"] == cutoff and row["atoms"] == sizes[-1]
                 and row["scheme"].split()[0] in WITHOUT_LISTS]
        if plain and max(plain) < rates[-1]:
            text += (f"; lists are {rates[-1] / max(plain):.1f} times as fast as cells without them (published: vector code "
                     f"with lists {GAIN[0]:g} to {GAIN[1]:g} times scalar code)")
        said.append(text)
    said += [_branches(mine, name) for name in dict.fromkeys(row["scheme"].split()[0] for row in mine)]
    return ". ".join(one for one in said if one)


def _branches(rows: list[dict[str, Any]], name: str) -> str:
    found = {word: [plots.speed(row) for row in rows if row["scheme"] == f"{name} branch {word}"] for word in ("yes", "no")}
    if not found["yes"] or not found["no"]:
        return ""
    ratio = max(found["no"]) / max(found["yes"])
    return (f"{name} without a branch at the cutoff runs at {ratio:.2f} times the rate with one: that evaluating all pairs "
            f"beats skipping some {'holds' if ratio > 1 else 'does not hold'} here")

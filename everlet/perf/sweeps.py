"""Studies that are many runs of the melt with one thing changed: saturation, neighbours, carveout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from everlet.errors import InputError
from everlet.perf import bench, options, plots, record
from everlet.perf.runs import Case
from everlet.perf.studies import Outcome
from everlet.portable import choose

Known = dict[str, tuple[options.Reader, Any]]


USAGE = "everlet study saturation|neighbours|carveout [options]; see everlet study --help"
SMALLEST, LARGEST, LARGEST_CPU = 1000, 2_048_000, 32_000
TEAMS = (1, 2, 4, 8, 16)
CARVEOUTS = (0, 25, 50, 75, 100)
COMMON: Known = {
    **{name: bench.KNOWN[name] for name in ("cutoff", "precision", "device", "steps", "repeat")},
    "out": (options.word, "study"),
}
SATURATION: Known = {
    **COMMON, "precision": (bench.KNOWN["precision"][0], ["double", "mixed"]), "largest": (options.positive, 0),
    "sizes": (options.many(options.positive), []),
}
NEIGHBOURS: Known = {**COMMON, "sizes": (options.many(options.positive), [32000]), "team": (options.many(options.positive), [])}
CARVEOUT: Known = {**COMMON, "sizes": (options.many(options.positive), [256000]),
                   "percent": (options.many(options.percent), list(CARVEOUTS))}


def ladder(largest: int) -> list[int]:
    """Sizes from SMALLEST on, each twice the one before, and the largest.

    >>> ladder(5000)
    [1000, 2000, 4000, 5000]
    """
    sizes = [SMALLEST]
    while 2 * sizes[-1] <= largest:
        sizes.append(2 * sizes[-1])
    return sizes if largest <= sizes[-1] else [*sizes, largest]


def _cases(given: dict[str, Any], sizes: list[int]) -> list[Case]:
    return bench.cases({**given, "atoms": 0, "sizes": sizes, "scheme": [""], "threads": [1]})


def _measured(given: dict[str, Any], name: str, wanted: list[Case], plot: plots.Plot,
              ending: Callable[[list[dict[str, Any]]], list[str]] = lambda rows: []) -> Outcome:
    stamp = record.stamp(choose(given["device"], 1))
    rows = bench.figures(bench.bench(wanted, given["repeat"], False))
    table = "\n".join([bench.text(rows), *ending(rows)])
    return given["out"], name, {**stamp, "rows": rows}, table, plot


def saturation(words: list[str]) -> Outcome:
    """Throughput against the number of atoms: from which size on is the device busy?"""
    given = options.parse(words, SATURATION, USAGE)
    if given["sizes"] and given["largest"]:
        raise InputError("both --sizes and --largest are given", "use --largest for all sizes from 1000 to it")
    usual = LARGEST if bench.target(given["device"]) == "cuda" else LARGEST_CPU
    wanted = _cases(given, given["sizes"] or ladder(given["largest"] or usual))
    return _measured(given, "saturation", wanted, plots.saturation, half_way)


def half_way(rows: list[dict[str, Any]]) -> list[str]:
    """For each line of the plot, the smallest size with half the best rate."""
    found = []
    for name in dict.fromkeys(f"{plots.line(row)} r_c {row['cutoff']:g}" for row in rows):
        mine = sorted((row["atoms"], plots.speed(row)) for row in rows if f"{plots.line(row)} r_c {row['cutoff']:g}" == name)
        best = max(speed for _, speed in mine)
        first = next(atoms for atoms, speed in mine if speed >= 0.5 * best)
        found.append(f"{name}: best {best:.4g} M atom-steps/s, half of it from {first} atoms on")
    return found


def neighbours(words: list[str]) -> Outcome:
    """Full and half lists, newton on and off, and on a GPU teams of threads for each atom."""
    given = options.parse(words, NEIGHBOURS, USAGE)
    on_gpu = bench.target(given["device"]) == "cuda"
    if given["team"] and not on_gpu:
        raise InputError(f"--team is for GPUs, and this study is on {given['device']}", "leave it out, or use --device cuda")
    for team in given["team"]:
        if team not in TEAMS:
            raise InputError(f"--team {team}", f"use some of {', '.join(map(str, TEAMS))}")
    teams = (given["team"] or TEAMS) if on_gpu else (0,)
    wanted = [replace(case, scheme=scheme, newton=newton, team=team) for case in _cases(given, given["sizes"])
              for scheme in ("full", "half") for newton in (True, False) for team in teams]
    return _measured(given, "neighbours", wanted, plots.neighbours, fastest)


def fastest(rows: list[dict[str, Any]]) -> list[str]:
    """The best row of every system and precision."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = (row["atoms"], row["cutoff"], row["precision"])
        if key not in groups or plots.speed(row) > plots.speed(groups[key]):
            groups[key] = row
    return [f"fastest with {atoms} atoms, r_c {cutoff:g}: {bench.label(row)}" for (atoms, cutoff, _), row in groups.items()]


def carveout(words: list[str]) -> Outcome:
    """How much of the L1 cache the pair loop should leave to shared memory, which it does not use; and as the driver likes."""
    given = options.parse(words, CARVEOUT, USAGE)
    if bench.target(given["device"]) != "cuda":
        raise InputError(f"study carveout is for GPUs: {given['device']} has no L1 cache to divide", "use --device cuda")
    wanted = [replace(case, carveout=percent) for case in _cases(given, given["sizes"]) for percent in (-1, *given["percent"])]
    return _measured(given, "carveout", wanted, plots.carveout, fastest)


STUDIES: dict[str, Callable[[list[str]], Outcome]] = {
    "saturation": saturation, "neighbours": neighbours, "carveout": carveout,
}

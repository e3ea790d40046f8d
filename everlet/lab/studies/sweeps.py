"""Studies that are many runs with one thing changed: saturation, neighbours, carveout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from everlet import settings
from everlet.errors import InputError
from everlet.lab.results import Outcome, plot, study
from everlet.perf import bench, options, plots, record
from everlet.perf.known import SYSTEMS
from everlet.perf.molecules import FOLDER, MOLECULES
from everlet.perf.runs import Case
from everlet.perf.systems import SAMPLES
from everlet.portable import choose

Known = dict[str, tuple[options.Reader, Any]]


USAGE = "everlet study saturation|neighbours|carveout [options]; see everlet study NAME --help"
SMALLEST, LARGEST, LARGEST_CPU = 1000, 2_048_000, 32_000
TEAMS = (1, 2, 4, 8, 16)
CARVEOUTS = (0, 25, 50, 75, 100)
CRYSTALS: tuple[options.Reader, Any] = (options.many(options.one_of(*SAMPLES)), ["lj"])
ALL: tuple[options.Reader, Any] = (options.many(options.one_of(*SYSTEMS)), ["lj"])
COMMON: Known = {
    **{name: bench.KNOWN[name] for name in ("cutoff", "precision", "device", "steps", "repeat")},
    "out": (options.word, "study"),
}
SATURATION: Known = {
    **COMMON, "precision": (bench.KNOWN["precision"][0], []), "largest": (options.positive, 0), "system": ALL,
    "sizes": (options.many(options.positive), []), "inputs": (options.word, ""),
}
NEIGHBOURS: Known = {**COMMON, "sizes": (options.many(options.positive), [32000]), "team": (options.many(options.positive), [])}
CARVEOUT: Known = {**COMMON, "sizes": (options.many(options.positive), [256000]),
                   "percent": (options.many(options.percent), list(CARVEOUTS)), "system": CRYSTALS}


def ladder(largest: int) -> list[int]:
    """Sizes from SMALLEST on, each twice the one before, and the largest.

    >>> ladder(5000)
    [1000, 2000, 4000, 5000]
    """
    sizes = [SMALLEST]
    while 2 * sizes[-1] <= largest:
        sizes.append(2 * sizes[-1])
    return sizes if largest <= sizes[-1] else [*sizes, largest]


def sizes(system: str, wanted: list[int]) -> list[int]:
    """Copies of a box come in steps: each of these once.

    >>> sizes("reaxff", [100, 200, 1000]), sizes("lj", [100, 200])
    ([200, 1000], [100, 200])
    """
    return list({MOLECULES[system].cells(atoms): atoms for atoms in wanted}.values()) if system in MOLECULES else wanted


HALF = {"lj": 1.1e5, "reaxff": 6.5e4, "snap": 1.1e3}  # atoms at which LAMMPS-KOKKOS has half of its best rate on an H200
LESS_CACHE, MORE_CACHE = 50.0, 85.0  # published for lj: percent lost with 32 kB of L1, gained from 32 to 224 kB
L1 = 256.0  # kB of an H100 or H200 that carve-outs divide


def _cases(given: dict[str, Any], sizes: list[int], system: str = "lj") -> list[Case]:
    return bench.cases({**given, "atoms": 0, "sizes": sizes, "scheme": [""], "threads": [1]}, system)


def _measured(given: dict[str, Any], name: str, wanted: list[Case], ending: Callable[[list[dict[str, Any]]], str]
              ) -> Outcome:
    stamp = record.stamp(choose(given["device"], 1))
    rows = bench.figures(bench.bench(wanted, given["repeat"], False))
    said = ending(rows)
    return given["out"], name, {**stamp, "rows": rows, "conclusion": said}, f"{bench.text(rows)}\n{said}"


for _name, _drawing in (("saturation", plots.saturation), ("neighbours", plots.neighbours), ("carveout", plots.carveout)):
    plot(_name)(_drawing)


@study("saturation")
def saturation(words: list[str]) -> Outcome:
    """everlet study saturation [--system lj,eam,sw,snap,reaxff] [--largest N | --sizes A,B] [--precision double,mixed]
                               [--cutoff 2.5] [--device cpu] [--steps S] [--repeat 3] [--inputs FOLDER] [--out FOLDER]

    Throughput against the number of atoms, from 1000 to the largest in steps of two: from which size on is the device busy?
    Beside it, where LAMMPS-KOKKOS has half of its best rate. FOLDER has the files of reaxff and of molecules (`everlet bench`),
    whose sizes are whole copies."""
    given = options.parse(words, SATURATION, USAGE)
    if given["sizes"] and given["largest"]:
        raise InputError("both --sizes and --largest are given", "use --largest for all sizes from 1000 to it")
    if given["inputs"]:
        settings.put(FOLDER, given["inputs"])
    usual = LARGEST if bench.on_gpu(bench.target(given["device"])) else LARGEST_CPU
    wanted = [case for system in given["system"] for case in _cases(
        {**given, "precision": given["precision"] or (["double", "mixed"] if system == "lj" else ["double"])},
        sizes(system, given["sizes"] or ladder(given["largest"] or usual)), system)]
    return _measured(given, "saturation", wanted, half_way)


def half_way(rows: list[dict[str, Any]]) -> str:
    """For each line of the plot, the smallest size with half the best rate; and whether sizes come in the published order."""
    found: list[str] = []
    halves: dict[str, int] = {}
    for name in dict.fromkeys(map(plots.curve, rows)):
        mine = sorted((row["atoms"], plots.speed(row)) for row in rows if plots.curve(row) == name)
        best = max(speed for _, speed in mine)
        first = next(atoms for atoms, speed in mine if speed >= 0.5 * best)
        system = next(row.get("system", "lj") for row in rows if plots.curve(row) == name)
        halves.setdefault(system, first)
        beside = f" (LAMMPS-KOKKOS, H200: {HALF[system]:.0f})" if system in HALF else ""
        found.append(f"{name}: best {best:.4g} M atom-steps/s, half of it from {first} atoms on{beside}")
    known = [system for system in HALF if system in halves]
    if len(known) > 1:
        order = sorted(known, key=lambda system: -halves[system])
        found.append(f"Published: lj needs the most atoms, snap the fewest. Here the order is {', '.join(order)}: "
                     f"{'holds' if order == known else 'does not hold'}")
    elif known and any(bench.on_gpu(row["target"]) for row in rows):
        found.append("Published: cheap potentials need a hundred thousand atoms to fill a GPU. "
                     + ("holds here" if halves[known[0]] > 0.2 * HALF[known[0]] else
                        "Here fewer do: steps are replayed as graphs, so that their start is short"))
    elif known:
        found.append(f"Published for GPUs: small systems leave them idle. A core has half of its rate from {halves[known[0]]} "
                     "atoms on: what starts a step in Python takes as long as a thousand atoms")
    return "\n".join(found)


@study("neighbours")
def neighbours(words: list[str]) -> Outcome:
    """everlet study neighbours [--sizes 32000] [--team 1,2,4,8,16] [--precision double] [--cutoff 2.5] [--device cpu]
                               [--steps S] [--repeat 3] [--out FOLDER]

    Full and half lists, newton on and off, and on a GPU teams of threads that share the neighbours of an atom. Published:
    teams win for few atoms only, and a full list with newton off wins on GPUs."""
    given = options.parse(words, NEIGHBOURS, USAGE)
    on_gpu = bench.on_gpu(bench.target(given["device"]))
    if given["team"] and not on_gpu:
        raise InputError(f"--team is for GPUs, and this study is on {given['device']}", "leave it out, or use --device cuda")
    for team in given["team"]:
        if team not in TEAMS:
            raise InputError(f"--team {team}", f"use some of {', '.join(map(str, TEAMS))}")
    teams = (given["team"] or TEAMS) if on_gpu else (0,)
    wanted = [replace(case, scheme=scheme, newton=newton, team=team) for case in _cases(given, given["sizes"])
              for scheme in ("full", "half") for newton in (True, False) for team in teams]
    return _measured(given, "neighbours", wanted, lists_and_teams)


def lists_and_teams(rows: list[dict[str, Any]]) -> str:
    """The best row of every system, and what the source says."""
    best = _best(rows)
    said = [f"fastest with {row['atoms']} atoms, r_c {row['cutoff']:g}: {bench.label(row)}" for row in best]
    if not any(bench.on_gpu(row["target"]) for row in rows):
        full = all(row["scheme"] == "full" for row in best)
        said.append("Published: full lists win on GPUs, where half ones need atomics. On this core "
                    + ("they win too: wide registers" if full else "half lists win: a pair is computed once"))
        return "\n".join(said)
    full = all(row["scheme"] == "full" for row in best)
    ordered = sorted(best, key=lambda row: row["atoms"])
    teams = [row["team"] for row in ordered]
    small_only = teams[-1] <= 1 < teams[0] or len(teams) == 1
    said.append(f"Published: a full list wins on a GPU: {'holds' if full else 'does not hold'} here. Teams win for few atoms "
                f"only: {'holds' if small_only else 'does not hold'} here (best teams by size: {', '.join(map(str, teams))})")
    return "\n".join(said)


def _best(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The fastest row of every system and precision."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = (row.get("system"), row["atoms"], row["cutoff"], row["precision"])
        if key not in groups or plots.speed(row) > plots.speed(groups[key]):
            groups[key] = row
    return list(groups.values())


@study("carveout")
def carveout(words: list[str]) -> Outcome:
    """everlet study carveout [--system lj] [--sizes 256000] [--percent 0,25,50,75,100] [--precision double] [--cutoff 2.5]
                             [--device cuda] [--steps S] [--repeat 3] [--out FOLDER]

    (GPU) How much of the L1 cache the pair loop leaves to shared memory, which it does not use; -1 is what the driver
    chooses. Published for lj and 1 024 000 atoms: half of the rate is lost with 32 kB of L1, 85 % are gained from there to
    224 kB; snap's sums over neighbours like shared memory more."""
    given = options.parse(words, CARVEOUT, USAGE)
    if bench.target(given["device"]) != "cuda":
        raise InputError(f"study carveout is for GPUs: {given['device']} has no L1 cache to divide", "use --device cuda")
    wanted = [replace(case, carveout=percent) for system in given["system"] for case in _cases(given, given["sizes"], system)
              for percent in (-1, *given["percent"])]
    return _measured(given, "carveout", wanted, by_cache)


def by_cache(rows: list[dict[str, Any]]) -> str:
    """What the cache gives, beside the published gain."""
    said = []
    for row in _best(rows):
        mine = {one["carveout"]: plots.speed(one) for one in rows if all(
            one.get(key) == row.get(key) for key in ("system", "atoms", "cutoff", "precision"))}
        given = sorted(key for key in mine if key >= 0)
        if len(given) < 2:
            continue
        gain = 100.0 * (mine[given[0]] / mine[given[-1]] - 1.0)
        name = row.get("system", "lj")
        most, least = (max(L1 * (1 - percent / 100), 28.0) for percent in (given[0], given[-1]))
        text = (f"{name} {row['precision']}, {row['atoms']} atoms: {gain:.0f} % faster with {most:.0f} kB of L1 than with "
                f"{least:.0f}")
        if name == "lj":
            verdict = "holds" if gain > 0.5 * MORE_CACHE else "holds in part" if gain > 10 else "does not hold"
            why = "" if gain > 0.5 * MORE_CACHE else ": atoms are sorted by bins, and rows are read ahead"
            text += f"; published: {MORE_CACHE:.0f} %: {verdict} here{why}"
        said.append(text)
    return "\n".join(said)

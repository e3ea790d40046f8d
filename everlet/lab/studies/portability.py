"""everlet study portability: efficiencies by platform and system, and how much of the source platforms share."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from everlet.errors import InputError
from everlet.lab import platforms
from everlet.lab import portability as measures
from everlet.lab.machine import peers
from everlet.lab.results import Outcome, Row, plot, study
from everlet.perf import options, record
from everlet.perf.known import SYSTEMS
from everlet.portable import HOST, devices
from everlet.session import Session
from everlet.version import __version__

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "from": (options.many(options.word), []), "out": (options.word, "study"),
    "lines": (options.many(options.one_of("cpu", "serial", "reference", "cuda", "opencl", "no")), ["serial", "cpu"]),
    "device": (options.many(options.one_of(*devices.names())), []), "system": (options.one_of(*SYSTEMS), "lj"),
    "atoms": (options.positive, 4000), "steps": (options.positive, 100), "repeat": (options.positive, 3),
    "clock": (options.one_of("wall", "cpu"), "wall"),
}
PUBLISHED = {"LU of a thesis, portable by native": 0.865, "miniMD there": 0.556, "Ewald, γ of CPU and GPU": 0.265}
SHOWN = 6  # other programs that are faster, in the conclusion


@study("portability")
def portability(words: list[str]) -> Outcome:
    """everlet study portability [--from FILE|FOLDER,…] [--lines serial,cpu,reference,cuda,opencl|no]
                              [--device cpu,opencl,…] [--system lj] [--atoms 4000] [--steps 100] [--repeat 3]
                              [--clock wall|cpu] [--out FOLDER]

    Efficiency of Everlet on each platform and system: its rate by the best known one on the same hardware. A platform is
    hardware and a way to it: a GPU by CUDA or by OpenCL, cores by Numba or by PoCL. Known are lmp in the same files, rates of
    other programs that ship (everlet/lab/machines/peers.json says how they were measured), and Everlet by other ways. Rates
    come from JSON files of everlet bench (and of benchmarks/lu.py), also of other machines: --from mine.json,gpu.json,cluster/,
    and from short runs here on each --device, with all its cores; where others use them, too, only CPU time compares: --clock
    cpu. In systems called mixed the faster of mixed and double precision counts.

    Then the harmonic mean over platforms, 0 if one of them cannot run a system, the cascade from best to worst, and, from the
    lines that runs of a small melt go through on each device named (compiled before), code divergence and degree of
    portability. Files of this study from other machines add their lines, if they are of the same commit, and their rates."""
    given = options.parse(words, KNOWN, "everlet study portability [--from FILE,…]; see everlet study --help")
    folders = given["from"] or [name for name in ("benchmarks/results", given["out"]) if os.path.isdir(name)]
    here = platforms.measured(given["device"], given["system"], given["atoms"], given["steps"], given["repeat"],
                              given["clock"])
    cells, lines, left = gathered(folders, here)
    for device in [name for name in given["lines"] if name != "no"]:
        lines[f"{device} of {HOST.machine()}"] = measures.unpacked(measures.packed(lines_on(device)))
    if not cells and not lines:
        raise InputError("there are no results of everlet bench to compare" + "".join(f"\n{one}" for one in left),
                         "everlet bench lj --against lmp --json FILE, then --from FILE; or --lines serial,cuda")
    rows = platforms.efficiencies(cells)
    summary = summed(rows)
    said = conclusion(rows, summary, lines)
    content = {**record.stamp(HOST), "rows": rows, "summary": summary, "conclusion": said, "measured": here,
               "lines": {name: measures.packed(one) for name, one in lines.items()},
               "divergence": measures.divergence(lines), "degree": measures.degree(lines)}
    return given["out"], "portability", content, "\n".join([text(rows, summary, lines), *left, said])


def lines_on(device: str) -> measures.Lines:
    """Lines of the package that a small melt goes through."""
    def run(sim: Session) -> None:
        sim.commands(SYSTEMS["lj"].script(108))
        sim.run(25)

    steps = [Session(device=device, threads=2 if device == "cpu" else 0, tune=False) for _ in range(2)]
    run(steps[0])  # compiles
    return measures.lines_of(lambda: run(steps[1]), steps[1].space)


def gathered(places: list[str], here: list[Row]) -> tuple[platforms.Cells, dict[str, measures.Lines], list[str]]:
    """Best rates by hardware, system and size of all result files; lines of such studies; and what was left out."""
    cells: platforms.Cells = {}
    lines: dict[str, measures.Lines] = {}
    left: list[str] = []
    for path in files(places):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            left.append(f"left out: {path}: {error}")
            continue
        if not isinstance(content, dict):
            continue
        machine, found = str(content.get("machine", "")), content.get("lines")
        if isinstance(found, dict) and same_source(content):
            for name, ranges in found.items():  # a device of a machine is one platform, however many files have it
                lines[name if " of " in name else f"{name} of {machine or path.stem}"] = measures.unpacked(ranges)
        elif isinstance(found, dict):
            left.append(f"left out: lines of {path}: they are of commit {content.get('commit')}, not of {record.commit()}")
        rates = content.get("measured", [])
        for row in [*content.get("rows", []), *(rates if isinstance(rates, list) else [])]:
            if isinstance(row, dict) and machine and set(row) >= platforms.NEEDED:
                platforms.enter(cells, machine, row)
            elif isinstance(row, dict) and machine and {"who", "mops"} <= set(row) and "class" in content:  # benchmarks/lu.py
                who = platforms.OURS + platforms.ON_CORES if row["who"] == "everlet" else row["who"]
                platforms.note(cells, platforms.on_cores(machine, 1), f"lu {content['class']}", who, 1e6 * row["mops"])
    for row in here:
        platforms.enter(cells, HOST.machine(), row)
        left += [f"0 of {row['device']}: {row['why']}"] if "why" in row else []
    return cells, lines, left + platforms.completed(cells, peers())


def same_source(content: dict[str, Any]) -> bool:
    """Numbers of lines can be compared within one version of the source only."""
    return (content.get("commit"), content.get("everlet")) == (record.commit(), __version__)


def files(places: list[str]) -> list[Path]:
    found = []
    for place in places:
        path = Path(place)
        if not path.exists():
            raise InputError(f"there is no file or folder '{place}'", "check --from")
        found += sorted(path.rglob("*.json")) if path.is_dir() else [path]
    return found


def summed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each platform the harmonic mean over its systems, and the cascade over platforms."""
    of = {name: [row["efficiency"] for row in rows if row["platform"] == name] for name in dict.fromkeys(
        row["platform"] for row in rows)}
    each = {name: measures.harmonic(many) for name, many in of.items()}
    return [{"platform": name, "systems": len(of[name]), "efficiency": one, "portability": whole}
            for name, one, whole in measures.cascade(each)]


def text(rows: list[dict[str, Any]], summary: list[dict[str, Any]], lines: dict[str, measures.Lines]) -> str:
    said = []
    if rows:
        shown = [[row["platform"], row["system"], f"{row['rate'] / 1e6:.4g}", row["peer"], f"{row['peer_rate'] / 1e6:.4g}",
                  f"{row['ratio']:.2f}", f"{row['efficiency']:.2f}"] for row in rows]
        said += [record.table(["platform", "system", "M/s", "best other", "M/s", "ratio", "e"], shown), ""]
        steps = [[row["platform"], str(row["systems"]), f"{row['efficiency']:.3f}", f"{row['portability']:.3f}"]
                 for row in summary]
        said += [record.table(["platforms, best first", "systems", "e", "PP up to here"], steps)]
        said += [f"published: {name} {value}" for name, value in PUBLISHED.items()]
    if lines:
        counts = {name: sum(map(len, one.values())) for name, one in lines.items()}
        shares = measures.degree(lines) if len(lines) > 1 else {}
        said += ["", record.table(["device", "lines run", "shared"], [
            [name, str(count), f"{100 * shares[name]:.1f} %" if name in shares else ""] for name, count in counts.items()])]
        if len(lines) > 1:
            away = measures.divergence(lines)
            said.append(f"code divergence {away:.3f}, convergence {1 - away:.3f}; "
                        f"degree of portability {min(shares.values()):.3f}")
    return "\n".join(said).strip()


def conclusion(rows: list[dict[str, Any]], summary: list[dict[str, Any]], lines: dict[str, measures.Lines]) -> str:
    """Performance and code together, beside what is published."""
    said = []
    if summary:
        said.append(f"PP of {len(summary)} platforms is {summary[-1]['portability']:.2f} (published 0.56 to 0.87)")
        if beside(rows):
            worst = min(beside(rows), key=lambda row: row["ratio"])
            verdict = "holds" if worst["ratio"] >= 0.5 else "does not hold"
            said.append(f"published: at most twice as slow as native code: {verdict} here; the least ratio to another program "
                        f"is {worst['ratio']:.2f}, {worst['system']} on {worst['platform']}")
            said.append(faster(rows))
    if len(lines) > 1:
        degree = min(measures.degree(lines).values())
        said.append(f"of the lines that a run goes through, {100 * degree:.1f} % at least are shared; published: less than 5 % "
                    f"of the algorithms are specialised: {'holds' if degree >= 0.95 else 'does not hold'} here")
    return "; ".join(said) or "nothing to compare"


def beside(rows: list[Row]) -> list[Row]:
    """Rows that another program stands in."""
    return [row for row in rows if row["peer"] and not row["peer"].startswith(platforms.OURS)]


def faster(rows: list[Row]) -> str:
    """Which other programs are faster, and by how much, the most first."""
    found = sorted((row for row in beside(rows) if row["ratio"] < 1.0), key=lambda row: row["ratio"])
    times = [f"{1.0 / row['ratio']:.2f} times" if row["ratio"] else "alone" for row in found]
    said = [f"{row['peer']} {much}, {row['system']} on {row['platform']}" for row, much in zip(found, times, strict=True)]
    more = [f"{len(said) - SHOWN} more"] if len(said) > SHOWN else []
    return "faster than Everlet are: " + "; ".join(said[:SHOWN] + more) if said else "no other program known there is faster"


@plot("portability")
def draw(figure: Any, rows: list[dict[str, Any]]) -> None:
    """The cascade: efficiencies from best to worst, and PP of all platforms so far; ratios to the best other program."""
    shown = beside(rows)
    systems = sorted({row["system"] for row in shown}, reverse=True)
    figure.set_size_inches(12.0, max(5.0, 1.0 + 0.2 * len(systems)))
    left, right = figure.subplots(1, 2)
    steps = summed(rows)
    names = [row["platform"] for row in steps]
    left.plot([row["efficiency"] for row in steps], names, marker="o", label="efficiency")
    left.plot([row["portability"] for row in steps], names, marker="s", label="PP of all down to here")
    left.set(xlim=(-0.02, 1.05), title="cascade")
    left.invert_yaxis()
    left.legend(loc="upper left", fontsize="small")
    for number, platform in enumerate(names):
        mine = [row for row in shown if row["platform"] == platform and row["ratio"]]
        if mine:
            right.plot([row["ratio"] for row in mine], [systems.index(row["system"]) for row in mine], color=f"C{number}",
                       linestyle="", marker="o", label=platform)
    right.set_yticks(range(len(systems)), labels=systems)
    right.axvline(1.0, color="grey", linewidth=0.8)
    right.set(xlabel="times the rate of the best other program", xscale="log", title="by system")
    if systems:
        figure.legend(handles=right.get_lines()[:-1], fontsize="small", loc="outside lower center", ncols=2)
    for panel in (left, right):
        panel.grid(alpha=0.3)
        panel.tick_params(axis="y", labelsize="small")

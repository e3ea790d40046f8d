"""The plots of docs/notebook/performance.md, drawn from benchmarks/results/*.json into docs/plots/*.svg.

    python benchmarks/plots.py [NAME ...]      NAME: phases, ratios, long, schemes, sort; default: all of them

phases   ns per atom and step of every scheme at 256 000 atoms, by phase
ratios   rate over that of `lmp -sf opt`, by size
long     the same as phases at cutoff 5.0
schemes  a study of schemes, one thread, by cutoff and precision
sort     how the force loop slows down after a sort
peers    rate over that of `lmp -sf opt` by system, one core, double precision
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS, PLOTS = HERE / "results", HERE.parent / "docs" / "plots"
PHASES = ("Pair", "Neigh", "Comm", "Modify")
Rows = list[dict[str, Any]]


def rows_of(name: str) -> Rows:
    return json.loads((RESULTS / f"{name}.json").read_text())["rows"]


def title(row: dict[str, Any]) -> str:
    return "lmp -sf opt" if row["who"] != "everlet" else f"{row['scheme']} {row['precision']}"


def bars(panel: Any, rows: Rows) -> None:
    """One bar for each row, made of its phases."""
    left = [0.0] * len(rows)
    names = [title(row) for row in rows]
    for number, phase in enumerate(PHASES):
        wide = [row["phases_ns"].get(phase, 0.0) for row in rows]
        panel.barh(names, wide, left=left, label=phase, color=f"C{number}")
        left = [a + b for a, b in zip(left, wide, strict=True)]
    panel.invert_yaxis()
    panel.set_xlabel("CPU ns per atom and step")
    panel.legend(fontsize="small")


def phases(panel: Any) -> None:
    bars(panel, [row for row in rows_of("xeon_sizes") if row["atoms"] == 256000])
    panel.set_title("256 000 atoms, cutoff 2.5, one core, AVX-512", fontsize="medium")


def long(panel: Any) -> None:
    bars(panel, rows_of("xeon_long"))
    panel.set_title("32 000 atoms, cutoff 5.0, one core, AVX-512", fontsize="medium")


def ratios(panel: Any) -> None:
    sets = (("xeon_sizes", "AVX-512", "-"), ("melt_sizes", "NEON", "--"))
    for name, machine, style in sets:
        rows = [row for row in rows_of(name) if row["who"] == "everlet"]
        for number, line in enumerate(dict.fromkeys(map(title, rows))):
            mine = sorted((row["atoms"], row["ratio_cpu"]) for row in rows if title(row) == line)
            panel.plot(*zip(*mine, strict=True), style, marker="os^vDx"[number], label=f"{line}, {machine}")
    panel.axhline(1.0, color="grey", linewidth=0.8)
    panel.set(xscale="log", xlabel="atoms", ylabel="rate over that of lmp -sf opt", ylim=(0.9, 4.2))
    panel.legend(fontsize="x-small", ncols=2)


def schemes(panel: Any) -> None:
    rows = [row for row in rows_of("neon_schemes") if row["threads"] == 1 and row["atoms"] == 32000]
    names = list(dict.fromkeys(map(title, rows)))
    for number, cutoff in enumerate(sorted({row["cutoff"] for row in rows})):
        best = min(sum(row["phases_ns"].values()) for row in rows if row["cutoff"] == cutoff)
        mine = {title(row): sum(row["phases_ns"].values()) / best for row in rows if row["cutoff"] == cutoff}
        panel.barh([place + 0.4 * number for place in range(len(names))], [mine[name] for name in names], height=0.38,
                   label=f"cutoff {cutoff:g}")
    panel.set_yticks([place + 0.2 for place in range(len(names))], names)
    panel.invert_yaxis()
    panel.set_xlabel("CPU time of a step over that of the fastest")
    panel.set_title("32 000 atoms, one Neoverse-N1 core", fontsize="medium")
    panel.legend(fontsize="small")


def sort(panel: Any) -> None:
    rows = rows_of("sort_order")
    for atoms in sorted({row["atoms"] for row in rows}):
        mine = [(row["steps"], row["pair_ns"]) for row in rows if row["atoms"] == atoms]
        panel.plot(*zip(*mine, strict=True), marker="o", label=f"{atoms} atoms")
    panel.set(xlabel="steps since the sort", ylabel="pair forces, CPU ns per atom", ylim=(250, None))
    panel.set_title("half list, one Neoverse-N1 core", fontsize="medium")
    panel.legend()


def peers(panel: Any) -> None:
    names = {"lj": "LJ melt", "eam": "EAM copper", "sw": "SW silicon", "snap": "SNAP tungsten", "reaxff": "ReaxFF",
             "rhodo": "rhodopsin", "chain": "bead chains"}
    sets = {"Neoverse-N1": ("melt_sizes", "manybody", "reaxff", "rhodo", "chain"),
            "Xeon, AVX-512": ("xeon_sizes", "xeon_eam", "xeon_sw", "xeon_snap", "xeon_reaxff")}
    for number, (machine, files) in enumerate(sets.items()):
        found: dict[str, float] = {}
        for row in (row for name in files for row in rows_of(name) if row["who"] == "everlet" and row["precision"] == "double"):
            system = row.get("system", "lj")
            if row["threads"] == 1 and "ratio_cpu" in row and (system != "lj" or row["atoms"] == 32000):
                found[system] = max(found.get(system, 0.0), row["ratio_cpu"])
        places = [place + 0.4 * number for place, system in enumerate(names) if system in found]
        bars = panel.barh(places, [found[system] for system in names if system in found], height=0.38, label=machine)
        panel.bar_label(bars, fmt="%.1f", padding=3, fontsize="small")
    panel.set_yticks([place + 0.2 for place in range(len(names))], names.values())
    panel.invert_yaxis()
    panel.axvline(1.0, color="grey", linewidth=0.8)
    panel.set(xscale="log", xlim=(0.8, 40.0), xlabel="rate over that of lmp -sf opt (1: the same), one core, double precision")
    panel.set_xticks([1, 2, 5, 10, 20], labels=["1", "2", "5", "10", "20"])
    panel.minorticks_off()
    panel.legend(fontsize="small", loc="lower right")


DRAWN: dict[str, Callable[[Any], None]] = {"phases": phases, "ratios": ratios, "long": long,
                                              "schemes": schemes, "sort": sort, "peers": peers}


def draw(name: str) -> Path:
    """One plot as an SVG file; text stays text, so that files are small."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        panel = figure.subplots()
        panel.grid(alpha=0.3)
        DRAWN[name](panel)
        PLOTS.mkdir(exist_ok=True)
        path = PLOTS / f"{name}.svg"
        figure.savefig(path, metadata={"Date": None})
    return path


if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in DRAWN]
    if unknown:
        sys.exit(f"unknown plot {', '.join(unknown)}; known: {', '.join(DRAWN)}")
    try:
        for one in sys.argv[1:] or DRAWN:
            print(draw(one).relative_to(HERE.parent))
    except ImportError:
        sys.exit("matplotlib is missing: pip install 'everlet[plot]'")

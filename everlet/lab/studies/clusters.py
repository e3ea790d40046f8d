"""everlet study clusters: NPB LU on published clusters of GPUs and of cores, by equations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from everlet.lab import wavefront
from everlet.lab.machine import Machine, load, thesis
from everlet.lab.model import powers
from everlet.lab.results import OUT, Outcome, Row, outcome, plot, study
from everlet.lab.studies.simulate import SWEEPS, first
from everlet.lab.wavefront import CLASSES, Grind
from everlet.perf import options

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "machines": (options.many(options.one_of("c1060", "c2050", "hera", "dawndev")), ["c1060", "c2050", "dawndev", "hera"]),
    "most": (options.positive, 1024), **OUT}
TABLES = {"hera": "Hera D", "dawndev": "DawnDev D"}  # whose first rows say what a grid point takes
EACH = (64, 64, 1024)  # points of a node where as many are on each
SMALL, LARGE = 4, 64  # nodes


@dataclass(frozen=True)
class Cluster:
    """A machine with what LU takes there: seconds of planes and points in a sweep, and of a point outside of sweeps."""

    machine: Machine
    grind: Grind
    other: float

    @property
    def gpus(self) -> bool:
        return self.machine.device.kind == "gpu"


def cluster(name: str) -> Cluster:
    """By its own numbers, by the first row of a published table, or, for the C2050, by its time of class E."""
    machine = load(name)
    if machine.lu:
        edge, iterations = CLASSES["C"]
        return Cluster(machine, Grind(machine.lu["plane"], machine.lu["point"]), machine.lu["other"] / edge**3 / iterations)
    if name in TABLES:
        each = first(machine, TABLES[name], thesis()["validation"][TABLES[name]])
        return Cluster(machine, each, 2.0 * each.point * (1.0 - SWEEPS) / SWEEPS)
    nodes, seconds, *_ = thesis()["power"][name]
    low, high = 0.0, 1e-6
    for _ in range(60):
        middle = 0.5 * (low + high)
        found = Cluster(machine, Grind(point=middle), 2.0 * middle * (1.0 - SWEEPS) / SWEEPS)
        low, high = (middle, high) if run(found, "E", nodes)["seconds"] < seconds else (low, middle)
    return found


def run(one: Cluster, name: str, nodes: int) -> Row:
    """Seconds of a class, or of `weak`, by cause. Blocks are as high as wide on GPUs and one plane on cores."""
    array = wavefront.squarish(nodes)
    edge, iterations = CLASSES.get(name, CLASSES["E"])
    size = (edge, edge, edge) if name in CLASSES else (EACH[0] * array[0], EACH[1] * array[1], EACH[2])
    kblock = min(math.ceil(size[0] / array[0]), math.ceil(size[1] / array[1])) if one.gpus else 1
    sweeps = wavefront.fitted(size, array, kblock)
    often, link = 2 * iterations * (sweeps.steps - 1), one.machine.link
    other = one.other * math.prod(size) * iterations / nodes
    parts = {"compute": 2 * iterations * sweeps.steps * one.grind.block(sweeps) + other,
             "network": often * sum(one.machine.network.time(count) for count in sweeps.messages if count),
             "pcie": often * sum(2.0 * link.time(count) for count in sweeps.messages if count) if link else 0.0}
    return {"machine": one.machine.name, "class": name, "nodes": nodes, "kblock": sweeps.kblock, "seconds": sum(parts.values()),
            **parts}


@study("clusters")
def clusters(words: list[str]) -> Outcome:
    """everlet study clusters [--machines c1060,c2050,dawndev,hera] [--most 1024] [--out FOLDER]

    Seconds of NPB LU, classes D and E (strong scaling) and 64 x 64 x 1024 points for each node (weak), against nodes of two
    published clusters of GPUs and two of cores, by the equations: computing, network, PCIe. What a grid point takes is fitted
    to one published time of each machine, networks are assumed. Published: computing takes most, then the network, then PCIe;
    all machines become slower with nodes in weak scaling, GPUs most; few C2050 are best, GPUs stop gaining early."""
    given = options.parse(words, KNOWN, "everlet study clusters [options]; see everlet study clusters --help")
    rows: list[Row] = []
    for name in given["machines"]:
        one, published = cluster(name), thesis()["power"][name]
        for kind in ("D", "E", "weak"):
            for nodes in sorted({*powers(min(given["most"], 256 if kind == "weak" else given["most"])),
                                 *([int(published[0])] if kind == "E" else [])}):
                row = run(one, kind, nodes)
                rows.append(row | {"published": published[1] if (kind, nodes) == ("E", published[0]) else None})
    columns = {"machine": "machine", "class": "class", "nodes": "nodes", "kblock": "kB", "seconds": "s", "compute": "computing",
               "network": "network", "pcie": "PCIe", "published": "published"}
    shown = [row for row in rows if row["nodes"] in (1, SMALL, LARGE, 256, given["most"]) or row["published"]]
    found = outcome(given, "clusters", shown, columns, conclusion(rows))
    found[2]["rows"] = rows
    return found


def conclusion(rows: list[Row]) -> str:
    """What the source says, one sentence each."""
    def at(machine: str, kind: str, nodes: int) -> float:
        return next((row["seconds"] for row in rows if (row["machine"], row["class"], row["nodes"]) == (machine, kind, nodes)),
                    math.nan)

    machines = {row["machine"]: load(row["machine"]).device.kind for row in rows}
    order = [row for row in rows if row["class"] == "E" and row["nodes"] > 1]
    right = [row for row in order if row["compute"] > row["network"] >= 0 and (not row["pcie"] or row["network"] > row["pcie"])]
    said = [f"Computing over network over PCIe: {len(right)} of {len(order)} numbers of nodes of class E"]
    gpus, cores = ([name for name, kind in machines.items() if kind == which] for which in ("gpu", "cpu"))
    most = max((row["nodes"] for row in rows if row["class"] == "weak"), default=1)
    slower = {name: at(name, "weak", most) / at(name, "weak", 1) for name in machines}
    said.append(f"On {most} nodes with as many points each times grow "
                + ", ".join(f"{ratio:.2f} ({name})" for name, ratio in slower.items()))
    if gpus and cores:
        said[-1] += f", most on GPUs: {_holds(min(slower[name] for name in gpus) > max(slower[name] for name in cores))}"
    best, top = min(machines, key=lambda name: at(name, "D", SMALL)), max(row["nodes"] for row in rows if row["class"] == "D")
    if "c2050" in machines and len(machines) > 1 and top >= SMALL:
        said.append(f"On {SMALL} nodes class D is fastest on {best} (published: c2050): {_holds(best == 'c2050')}")
    if gpus and cores and top > LARGE:
        gains = {name: at(name, "D", LARGE) / at(name, "D", top) for name in machines}
        holds = _holds(max(gains[name] for name in gpus) < min(gains[name] for name in cores))
        said.append(f"From {LARGE} to {top} nodes class D becomes faster by "
                    + ", ".join(f"{gain:.1f} ({name})" for name, gain in gains.items())
                    + f"; GPUs stop gaining early, cores go on: {holds}")
    known = [f"{row['machine']} {100 * (row['seconds'] / row['published'] - 1):+.0f} %" for row in rows if row["published"]]
    fitted = " (c2050 is fitted to it)" if "c2050" in machines else ""
    return ". ".join([*said, f"Class E beside published predictions: {', '.join(known)}{fitted}"])


def _holds(found: bool) -> str:
    return "holds" if found else "does not hold"


@plot("clusters")
def draw(figure: Any, rows: list[Row]) -> None:
    """Seconds over nodes, a panel for each class."""
    kinds = list(dict.fromkeys(row["class"] for row in rows))
    panels = figure.subplots(1, len(kinds), squeeze=False)[0]
    for panel, kind in zip(panels, kinds, strict=True):
        for name in dict.fromkeys(row["machine"] for row in rows):
            mine = [row for row in rows if (row["machine"], row["class"]) == (name, kind)]
            (line,) = panel.plot([row["nodes"] for row in mine], [row["seconds"] for row in mine], marker=".", label=name)
            known = [row for row in mine if row.get("published")]
            panel.plot([row["nodes"] for row in known], [row["published"] for row in known], "x", color=line.get_color())
        title = "as many points each" if kind == "weak" else f"class {kind}"
        panel.set(xscale="log", yscale="log", xlabel="nodes", title=title)
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("seconds (x: published)")
    panels[-1].legend(fontsize="small")

"""Study simulate: published times of LU by our equations and by events, with and without noise."""

from __future__ import annotations

import math
import statistics
from typing import Any

from everlet.lab import programs, wavefront
from everlet.lab.events import Machinery
from everlet.lab.machine import Machine, load, thesis
from everlet.lab.results import OUT, Outcome, Row, outcome, plot, study
from everlet.lab.wavefront import CLASSES, Grind, Sweeps
from everlet.perf import options

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "systems": (options.many(options.word), []), "most": (options.positive, 64), "noise": (options.positive, 5), **OUT}
SWEEPS = 0.6  # of the time of a node, where only the whole is published
COLOUR = {"analytic": "#888888", "with noise": "#BBBBBB"}
NOISE = 0.5  # of a message's time
BLOCKS = {1: 162, 4: 81, 8: 41, 16: 41}  # planes on a C1060, as published


@study("simulate")
def simulate(words: list[str]) -> Outcome:
    """everlet study simulate [--systems "C1060 C,Hera D"] [--most 64] [--noise 5] [--out FOLDER]

    Published times of NPB LU on three machines beside published predictions and ours: by the equations, by events, and by
    events with noise on messages (the mean of some seeds). What a grid point takes comes from the smallest number of nodes of
    each table; all others are predicted. Tables are left out beyond --most nodes."""
    given = options.parse(words, KNOWN, "everlet study simulate [options]; see everlet study simulate --help")
    tables, rows = thesis()["validation"], []
    for system in given["systems"] or tables:
        machine = load(system.split()[0].lower())
        each = first(machine, system, tables[system])
        for nodes, *published in tables[system]:
            if nodes <= given["most"]:
                rows.append(_row(machine, system, int(nodes), each, published, given["noise"], nodes == tables[system][0][0]))
    ours = {key: _mean(rows, key) for key in ("equations", "events", "noisy")}
    theirs = {key: _mean(rows, key) for key in ("analytic", "simulated", "with noise")}
    busy = [row for row in rows if "Hera" in row["system"]]
    gain = _mean(busy, "events") - _mean(busy, "noisy")
    said = (f"mean distance from measured times: equations {ours['equations']:.1f} %, events {ours['events']:.1f} %, with "
            f"noise {ours['noisy']:.1f} %; published for the same rows {theirs['analytic']:.1f}, {theirs['simulated']:.1f} and "
            f"{theirs['with noise']:.1f} %. That noise explains a busy machine "
            + ("holds" if gain >= 1.0 else "does not hold with our guess of its width")
            + ": networks of these machines are assumed here, and one time for a grid point is not enough where caches matter")
    columns = {"system": "system", "nodes": "nodes", "measured": "measured", "analytic": "published analytic",
               "simulated": "simulated", "with noise": "with noise", "equations": "our equations", "events": "events",
               "noisy": "with noise "}
    return outcome(given, "simulate", rows, columns, said)


def _size(system: str) -> tuple[int, int]:
    return CLASSES[system.split()[1]]


def first(machine: Machine, system: str, table: list[list[float]]) -> Grind:
    """Seconds of a plane and a point: the machine's, or such that the first row of a table is right."""
    if machine.lu:
        return Grind(machine.lu["plane"], machine.lu["point"])
    edge, iterations = _size(system)
    nodes, measured = int(table[0][0]), table[0][1]
    sweeps = Sweeps((edge,) * 3, wavefront.squarish(nodes), 1)
    return Grind(point=SWEEPS * measured / (2 * iterations) / sweeps.steps / sweeps.points)


def _other(machine: Machine, system: str, nodes: int, table: list[list[float]]) -> float:
    edge, iterations = _size(system)
    if machine.lu:
        usual, often = CLASSES["C"]
        return machine.lu["other"] * (edge / usual) ** 3 * iterations / often / nodes
    return (1.0 - SWEEPS) * table[0][1] * table[0][0] / nodes


def _row(machine: Machine, system: str, nodes: int, each: Grind, published: list[float], seeds: int, known: bool) -> Row:
    edge, iterations = _size(system)
    kblock = BLOCKS.get(nodes, 41) if machine.lu else 1
    sweeps = Sweeps((edge,) * 3, wavefront.squarish(nodes), min(kblock, edge))
    block, other = each.block(sweeps), _other(machine, system, nodes, thesis()["validation"][system])
    whole = 2 * iterations * wavefront.old(sweeps, block, wavefront.exchange(sweeps, machine)).total + other

    def events(seed: int | None) -> float:
        place = machine
        if seed is not None:
            points = [(float(size), NOISE * machine.network.time(size)) for size in (0, 1 << 20)]
            place = Machine(**{**vars(machine), "network": type(machine.network)(**{**vars(machine.network), "noise": points})})
        return iterations * Machinery(place, programs.sweeps(sweeps, block, other=other / iterations), seed or 1).run()

    measured, *predictions = published
    return {"system": system, "nodes": nodes, "measured": measured, "fitted": known,
            **dict(zip(("analytic", "simulated", "with noise"), predictions, strict=True)), "kblock": sweeps.kblock,
            "ranks": math.prod(sweeps.array), "equations": whole, "events": events(None),
            "noisy": statistics.fmean(events(seed) for seed in range(1, seeds + 1))}


def _mean(rows: list[Row], key: str) -> float:
    return 100.0 * statistics.fmean(abs(row[key] / row["measured"] - 1.0) for row in rows) if rows else 0.0


@plot("simulate")
def draw(figure: Any, rows: list[Row]) -> None:
    """Predicted by measured, over nodes."""
    systems = list(dict.fromkeys(row["system"] for row in rows))
    panels = figure.subplots(2, -(-len(systems) // 2), squeeze=False, sharey=True).ravel()
    for panel, system in zip(panels, systems, strict=False):
        mine = [row for row in rows if row["system"] == system]
        for key, label, mark in (("analytic", "published, analytic", "v"), ("with noise", "published, noise", "^"),
                                 ("equations", "our equations", "o"), ("noisy", "our events, noise", "s")):
            panel.plot([row["nodes"] for row in mine], [row[key] / row["measured"] for row in mine], marker=mark, label=label,
                       linestyle="--" if "published" in label else "-", color=COLOUR.get(key))
        panel.axhline(1.0, color="black", linewidth=0.6)
        panel.set(xscale="log", title=system, xlabel="nodes")
        panel.set_xticks([row["nodes"] for row in mine], labels=[str(row["nodes"]) for row in mine])
        panel.minorticks_off()
        panel.grid(alpha=0.3)
    for panel in panels[len(systems):]:
        panel.remove()
    panels[0].set_ylabel("predicted / measured")
    panels[0].legend(fontsize="small")

"""everlet simulate: a program on a machine, message by message (events.py).

    everlet simulate lu    [--class C | --size XxYxZ] [--nodes 4,8 | --array 2x2x1] [--kblock K] [--edges real|all]
                           [--plane S --point S] [--iterations N] [--other S]                           and the options below
    everlet simulate md|pppm|qeq   [--atoms N] [--potential lj/cut] [--density 0.8442] [--reach 2.8] [--nodes 1,2] [--steps 40]
                           [--stages yes|no] [--mesh POINTS (pppm)] [--iterations 20 (qeq)]             and the options below
    everlet simulate trace FILE
                           [--machine NAME|FILE|here] [--noise RUNS] [--seed 1] [--trace FILE] [--json FILE]

lu       sweeps of NPB LU; two iterations are simulated, and the others are like them. --edges all: ranks at the edges pay
         for messages that nobody gets, as the equation of everlet model wavefront assumes: then the two are equal
md       steps of molecular dynamics on all devices of the nodes; pppm: with a mesh (default: a point for each atom) and its
         transposes; qeq: with a conjugate gradient of --iterations turns
trace    operations from a file (programs.py); --trace writes those of a simulation
--noise  also so many runs with noise on messages, seeded; shown is the interval that holds 95 % of them. Its width is the
         machine's (`noise`), else a third of a message's time
Beside each time stands what the equations say: the same, but for LU without --edges all; for NICs that several devices share
and long messages that wait (`eager`), which equations leave out; and for networks whose measured points are no straight line.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

from everlet.errors import InputError, arguments, unknown
from everlet.io.files import whole_file
from everlet.lab import md, model, programs, wavefront
from everlet.lab.events import Machinery, Program
from everlet.lab.machine import Machine, load
from everlet.lab.rates import rate_of
from everlet.lab.wavefront import Sweeps
from everlet.perf import options, record

Make = Callable[[], list[Program]]
COMMON: model.Known = {"machine": (options.word, ""), "noise": (options.positive, 0), "seed": (options.positive, 1),
                       "trace": (options.word, ""), "json": (options.word, "")}
LU: model.Known = {**{name: model.WAVEFRONT[name] for name in ("class", "size", "nodes", "array", "kblock", "plane", "point",
                                                              "iterations", "other")},
                   "edges": (options.one_of("real", "all"), "real"), **COMMON, "machine": (options.word, "c1060")}
MD: model.Known = {**{name: model.MD[name] for name in ("atoms", "potential", "density", "reach", "nodes")},
                   "steps": (options.positive, 40), "stages": (options.one_of("yes", "no"), "no"),
                   "mesh": (options.positive, 0), "iterations": (options.positive, 20), **COMMON,
                   "machine": (options.word, "h200-cluster")}
TRACE: model.Known = {**COMMON, "machine": (options.word, "frontier")}
ONLY = {"mesh": "pppm", "iterations": "qeq"}  # options of one program
ROUNDS = 2  # iterations of LU that are simulated
NOISE = 1.0 / 3.0  # of a message's time, where a machine says nothing
HEAD = ["nodes", "ranks", "seconds", "equations", "difference", "computing", "messages", "copies"]


def main(words: list[str]) -> int:
    """The command `everlet simulate`."""
    if options.helped(words, __doc__):
        return 0 if words else 1
    kinds = {"lu": lu, "md": steps, "pppm": steps, "qeq": steps, "trace": trace}
    if words[0] not in kinds:
        raise unknown("program", words[0], kinds)
    rows, given = kinds[words[0]](words)
    print(text(rows))
    if given["json"]:
        record.write(given["json"], {"command": ["simulate", *words], "rows": rows})
    return 0


def simulated(machine: Machine, make: Make, given: dict[str, Any], times: float = 1.0) -> dict[str, Any]:
    """One row: a run without noise, and the interval of runs with it. `times`: as often as what is simulated happens."""
    run = Machinery(machine, make())
    if given["trace"]:
        with whole_file(given["trace"]) as stream:
            run.record = programs.Recorder(stream)
            total = run.run()
    else:
        total = run.run()
    spent = {kind: sum(one[kind] for one in run.spent) / run.ranks * times for kind in ("compute", "network", "copy")}
    row: dict[str, Any] = {"ranks": run.ranks, "seconds": total * times, **spent}
    if given["noise"]:
        noisy = Machine(**vars(machine))
        if not noisy.network.noise:
            points = [(float(size), NOISE * noisy.network.time(size)) for size in (0, 1 << 20)]
            noisy.network = type(noisy.network)(**{**vars(noisy.network), "noise": points})
        found = sorted(Machinery(noisy, make(), given["seed"] + k).run() * times for k in range(given["noise"]))
        mean = statistics.fmean(found)
        half = 1.96 * (statistics.stdev(found) if len(found) > 1 else 0.0)
        row |= {"noisy": mean, "noisy_from": mean - half, "noisy_to": mean + half}
    return row


def one_trace(given: dict[str, Any], sizes: int) -> None:
    if given["trace"] and sizes > 1:
        raise InputError(f"--trace can hold one simulation, but {sizes} numbers of nodes are asked for",
                         "give --nodes one number")


def lu(words: list[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    given = options.parse(words[1:], LU, "everlet simulate lu [--class C] [--nodes 4,8] …; see everlet simulate --help")
    machine = load(given["machine"])
    size, iterations = model.shape(given)
    each, other, rows = model.grind(given, machine), model.other_seconds(given, machine, size, iterations), []
    rounds = min(ROUNDS, iterations)
    many = model.arrays(given, [1, 4, 8, 16], machine)
    one_trace(given, len(many))
    for array in many:
        sweeps, ranks = wavefront.fitted(size, array, given["kblock"]), math.prod(array)
        block, rest = each.block(sweeps), other / ranks / iterations

        def make(sweeps: Sweeps = sweeps, block: float = block, rest: float = rest) -> list[Program]:
            return programs.sweeps(sweeps, block, rounds, edges=given["edges"], other=rest)

        row = simulated(machine, make, given, iterations / rounds)
        whole = wavefront.old(sweeps, block, wavefront.exchange(sweeps, machine)).total
        rows.append({"nodes": math.ceil(ranks / machine.devices), "equations": 2 * iterations * whole + other / ranks, **row})
    return rows, given


def steps(words: list[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    kind = words[0]
    known = {name: one for name, one in MD.items() if kind == ONLY.get(name, kind)}
    given = options.parse(words[1:], known, f"everlet simulate {kind} [--atoms N] [--nodes 1,2] …; see everlet simulate --help")
    machine = load(given["machine"])
    rate, rows = rate_of(machine, given["potential"]), []
    edge = (given["atoms"] / given["density"]) ** (1.0 / 3.0)
    matter = md.Matter(given["atoms"], (edge, edge, edge), given["reach"], sums=1)
    if kind == "pppm":
        matter.mesh = given["mesh"] or given["atoms"]
    elif kind == "qeq":
        matter.iterations = given["iterations"]
    stages = given["stages"] == "yes"
    many = given["nodes"] or [nodes for nodes in (1, 2, 4, 8) if nodes <= machine.nodes]
    one_trace(given, len(many))
    for nodes in many:
        if nodes > machine.nodes:
            raise InputError(f"{machine.name} has {machine.nodes} nodes, not {nodes}", "ask for fewer")

        def make(nodes: int = nodes) -> list[Program]:
            return programs.steps(matter, rate, machine, nodes, given["steps"], stages)

        whole = md.step(matter, rate, machine, nodes, stages).total * given["steps"]
        rows.append({"nodes": nodes, "equations": whole, **simulated(machine, make, given)})
    return rows, given


def trace(words: list[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    arguments(words[1:], 1, None, "everlet simulate trace FILE [--machine NAME] …")
    given = options.parse(words[2:], TRACE, "everlet simulate trace FILE [--machine NAME] …")
    machine = load(given["machine"])
    row = simulated(machine, lambda: programs.trace(words[1]), given)
    return [{"nodes": math.ceil(row["ranks"] / machine.devices), "equations": None, **row}], given


def text(rows: list[dict[str, Any]]) -> str:
    """The table for people. Parts of ranks are means."""
    noisy, lines = "noisy" in rows[0], []
    for row in rows:
        beside = ["", ""] if row["equations"] is None else [
            f"{row['equations']:.4g}", f"{100 * (row['seconds'] / row['equations'] - 1):+.1f} %"]
        lines.append([str(row["nodes"]), str(row["ranks"]), f"{row['seconds']:.4g}", *beside,
                      *(f"{100 * row[kind] / max(row['seconds'], 1e-30):.0f} %" for kind in ("compute", "network", "copy")),
                      *([f"{row['noisy']:.4g}", f"{row['noisy_from']:.4g} to {row['noisy_to']:.4g}"] if noisy else [])])
    return record.table([*HEAD, *(["with noise", "95 %"] if noisy else [])], lines)

"""everlet study profile: what each kernel of a rebuild cycle takes, moves and computes, and what limits it.

A cycle is 20 steps of the melt, the last with new ghosts and lists. On a GPU its launches are those that are otherwise
replayed as a graph; here they are started one by one with an event before each. A long kernel runs first, so that all of
them wait in the queue when the first begins: the times are those of the GPU, not of the host. On a CPU, ordinary steps
are made, and a clock is read around every launch. Bytes and operations are those of traffic.py.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from everlet.errors import InputError, RunError
from everlet.perf import bench, options, plots, record, roofline
from everlet.perf.kernels import chained_multiply_adds
from everlet.perf.melt import WARM, Case, count_pairs, prepared
from everlet.perf.sweeps import Outcome
from everlet.perf.traffic import Counts, moved, operations
from everlet.portable import Kernel, View, choose, kernels
from everlet.portable.gpu import LOCAL, REGISTERS
from everlet.portable.graphs import Graph
from everlet.portable.spaces import NEVER
from everlet.replay import Replay
from everlet.simulation import Simulation
from everlet.state.control import TOTAL, TROUBLE

USAGE = "everlet study profile [--atoms N,…] [--precision P] [--device D] ...; see everlet study --help"
PROFILE: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.many(options.positive), [32000]), "precision": bench.KNOWN["precision"], "scheme": (options.word, ""),
    "cutoff": (options.length, 2.5), "cycles": (options.positive, 9), "device": bench.KNOWN["device"],
    "out": (options.word, "study"),
}
HEAD = ["kernel", "launches", "us/launch", "us/cycle", "share", "GB/s", "Gflop/s", "of peak", "limited by"]
MELTED = 5 * WARM  # steps before the first cycle: rows of the list grow while the lattice melts
HOST_LAUNCH = 60e-6  # seconds that the host takes to start one kernel, at most
HIGH = 0.6  # of a peak: what reaches so much is limited by it
SHORT = 3.0  # times the time between two events with nothing in between: shorter kernels are mostly their start
LAUNCH = 10e-6  # the same on a CPU: what a launch costs

Timed = tuple[Kernel, Any, tuple[Any, ...], float]  # kernel, items, arguments, seconds
Cycle = list[Timed]


def profile(words: list[str]) -> Outcome:
    """The study: a table for each precision."""
    given = options.parse(words, PROFILE, USAGE)
    space = choose(given["device"], 1)
    content: dict[str, Any] = {**record.stamp(space), "peaks": asdict(roofline.peaks(space)), "rows": [], "cycles": []}
    tables = []
    for atoms, precision in itertools.product(given["atoms"], given["precision"]):
        case = Case(atoms, given["cutoff"], 0, given["scheme"], precision, given["device"])
        rows, cycle = measure(case, given["cycles"])
        content["rows"] += rows
        content["cycles"].append(cycle)
        tables.append(text(rows, cycle))
    return given["out"], "profile", content, "\n\n".join(tables), plots.profile


def measure(case: Case, cycles: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows of one case, and what is known of the whole cycle."""
    sim = prepared(case)
    sim.run(MELTED, post=False)
    on_gpu = sim.space.target == "cuda"
    for more in (True, True, False):
        try:
            found, whole, empty = on_device(sim, cycles) if on_gpu else on_host(sim, cycles)
            break
        except RunError:
            if not more:
                raise
            sim.space.reset_control()
            sim.run(MELTED, post=False)  # makes room
    assert sim.loop is not None and sim.lists is not None
    atoms = sim.system.atoms
    ghosts = sim.space.read_control()[TOTAL] - atoms.n if on_gpu else atoms.nghost
    scheme = sim.loop.pair.scheme if sim.loop.pair is not None else None
    counts = Counts(atoms.n, ghosts, sim.lists.pairs(), 0, sim.lists.bins.bins, sim.lists.kind == "full",
                    bool(getattr(getattr(scheme, "fixed", None), "used", False)))
    counts.pairs = count_pairs(sim, case.cutoff)
    about = {"precision": case.precision, "scheme": sim.system.scheme, "steps": WARM, **asdict(counts),
             "microseconds": 1e6 * statistics.median(sum(one[3] for one in cycle) for cycle in found),
             "graph_microseconds": 1e6 * whole, "empty_microseconds": 1e6 * empty}
    return figures(found, counts, roofline.peaks(sim.space), case.precision, empty or LAUNCH, sim), about


# ---- times
class Watch:
    """Reads a clock around every launch of a CPU space."""

    def __init__(self, sim: Simulation):
        self.cycle: Cycle = []
        self.clock = time.process_time if sim.space.threads == 1 else time.perf_counter

    def __call__(self, kernel: Kernel, items: Any, args: tuple[Any, ...], launch: Callable[[], None]) -> None:
        begin = self.clock()
        launch()
        self.cycle.append((kernel, items, args, self.clock() - begin))


def on_host(sim: Simulation, cycles: int) -> tuple[list[Cycle], float, float]:
    """Ordinary steps with a watch; also the seconds of a whole cycle, with what is not in a kernel."""
    assert sim.loop is not None
    watch, found, whole = Watch(sim), [], []
    try:
        for _ in range(cycles):
            watch.cycle = []
            sim.space.watch = watch
            begin = watch.clock()
            for _ in range(WARM):
                sim.loop.step()
            whole.append(watch.clock() - begin)
            found.append(watch.cycle)
    finally:
        sim.space.watch = None
    return found, statistics.median(whole), 0.0


def on_device(sim: Simulation, cycles: int) -> tuple[list[Cycle], float, float]:
    """The launches of a cycle between events; also the seconds of the same cycle as one graph, and between two events
    that follow each other."""
    assert sim.loop is not None
    if sim.loop.replay is None:
        raise InputError(f"study profile needs steps that can be replayed as graphs: {Replay.why_not(sim.loop)}",
                         "choose another scheme")
    space, gpu = sim.space, sim.space.gpu  # type: ignore[attr-defined]
    launches = sim.loop.replay.launches("s" * (WARM - 1) + "r")
    events = [gpu.cupy.cuda.Event() for _ in range(len(launches) + 2)]
    busy = _busy(sim, HOST_LAUNCH * len(launches))

    def between(k: int) -> float:
        return float(gpu.cupy.cuda.get_elapsed_time(events[k], events[k + 1])) * 1e-3

    graph, found, whole, empty = Graph(space, launches), [], [], []
    try:
        for number in range(cycles + 1):
            busy()
            for event, (kernel, items, args, limit) in zip(events, launches, strict=False):
                event.record(gpu.stream)
                space.limit = limit
                kernels.run(space, kernel, items, args)
            for event in events[-2:]:
                event.record(gpu.stream)
            _no_trouble(sim)
            if number:  # the first cycle loads kernels
                found.append([(*launch[:3], between(k)) for k, launch in enumerate(launches)])
                empty.append(between(len(launches)))
        for _ in range(cycles + 1):
            events[0].record(gpu.stream)
            graph.replay()
            events[1].record(gpu.stream)
            _no_trouble(sim)
            whole.append(between(0))
    finally:
        space.limit = NEVER
        graph.close()
    return found, statistics.median(whole[1:]), statistics.median(empty)


def _busy(sim: Simulation, seconds: float) -> Any:
    """A function that keeps the GPU busy for about so long and returns at once."""
    space, rounds = sim.space, 20000
    out = View(1 << 16, np.float64, space)
    kernel = Kernel(chained_multiply_adds)

    def run(rounds: int) -> None:
        kernels.parallel_for(space, out.shape[0], kernel, rounds, 0.5, out)

    run(rounds)
    space.synchronize()
    begin = time.perf_counter()
    run(rounds)
    space.synchronize()
    needed = int(rounds * seconds / max(time.perf_counter() - begin, 1e-6)) + rounds
    return lambda: run(needed)


def _no_trouble(sim: Simulation) -> None:
    """Wait for the GPU. After trouble all kernels do nothing, and their times say nothing."""
    if sim.space.read_control()[TROUBLE]:
        raise RunError("the melt outgrew its arrays while it was measured", "try again, or with another number of atoms")


# ---- figures
def figures(found: list[Cycle], counts: Counts, peaks: roofline.Peaks, precision: str, empty: float, sim: Simulation
            ) -> list[dict[str, Any]]:
    """A row for each kernel, the one that takes longest first."""
    rows = []
    for name in dict.fromkeys(one[0].name for cycle in found for one in cycle):
        mine = [one for one in found[-1] if one[0].name == name]
        if not mine:
            continue  # a list that did not fit was built twice in an earlier cycle
        seconds = statistics.median(sum(one[3] for one in cycle if one[0].name == name) for cycle in found)
        size = sum(moved(*one[:3], counts) for one in mine)
        work = sum(operations(one[0], counts) for one in mine)
        memory, arithmetic = size / seconds / peaks.copy, work / seconds / peaks.of(precision)
        row: dict[str, Any] = {"kernel": name, "precision": precision, "launches": len(mine),
                               "microseconds": 1e6 * seconds, "bytes": size, "operations": work, "of_bandwidth": memory,
                               "of_arithmetic": arithmetic, **_registers(mine[0][0], sim)}
        gathered = (16 if counts.fixed else 32) * counts.entries * len(mine) / seconds
        rows.append({**row, "limit": limit(row, seconds / len(mine), empty, gathered)})
    rows.sort(key=lambda row: -row["microseconds"])
    return rows


def _registers(kernel: Kernel, sim: Simulation) -> dict[str, int]:
    """Registers of a thread on a GPU, and bytes of those that did not fit."""
    if sim.space.target != "cuda":
        return {}
    gpu = sim.space.gpu  # type: ignore[attr-defined]
    function = gpu.kernel(kernel.program("cuda").load(), kernel.carveout)
    return {"registers": gpu.attribute(function, REGISTERS), "spilled_bytes": gpu.attribute(function, LOCAL)}


def limit(row: dict[str, Any], seconds: float, empty: float, gathered: float) -> str:
    """What limits a kernel, concluded from its figures: no counters of the processor are read."""
    if seconds < SHORT * empty:
        return "its start: too little work"
    if row["of_bandwidth"] > 1.05:
        return "caches, which hold its arrays"
    if max(row["of_bandwidth"], row["of_arithmetic"]) >= HIGH:
        return "memory bandwidth" if row["of_bandwidth"] >= row["of_arithmetic"] else "arithmetic"
    if "neighbor_loop" in row["kernel"]:
        return f"neither peak: gathers of positions, {gathered / 1e9:.0f} GB/s from caches"
    if "build_list" in row["kernel"]:
        return "neither peak: candidates beyond the list radius"
    return "neither peak: latency or index arithmetic" if row["bytes"] else "unknown: no model"


def text(rows: list[dict[str, Any]], cycle: dict[str, Any]) -> str:
    """The table for people."""
    total, lines = sum(row["microseconds"] for row in rows), []
    for row in rows:
        seconds, best = row["microseconds"] * 1e-6, max(row["of_bandwidth"], row["of_arithmetic"])
        lines.append([row["kernel"], str(row["launches"]), f"{row['microseconds'] / row['launches']:.1f}",
                      f"{row['microseconds']:.1f}", f"{100 * row['microseconds'] / total:.1f} %",
                      f"{row['bytes'] / seconds / 1e9:.1f}" if row["bytes"] else "",
                      f"{row['operations'] / seconds / 1e9:.1f}" if row["operations"] else "",
                      f"{100 * best:.0f} %" if best else "", row["limit"]])
    entries = cycle["entries"] / max(cycle["atoms"], 1)
    head = (f"{cycle['atoms']} atoms, {cycle['ghosts']} ghosts, {entries:.1f} list entries per atom, "
            f"{cycle['scheme']} {cycle['precision']}: {cycle['steps']} steps take {cycle['graph_microseconds']:.0f} us, "
            f"their kernels {cycle['microseconds']:.0f} us")
    if cycle["empty_microseconds"]:
        head += f"; {cycle['empty_microseconds']:.1f} us between two events with nothing in between"
    return f"{head}\n{record.table(HEAD, lines)}"

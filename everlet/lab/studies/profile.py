"""everlet study profile: what each kernel of a cycle takes, moves and computes, and what limits it.

A cycle of the melt is 20 steps, the last with new ghosts and lists. Other systems rebuild lists when an atom has moved too
far: theirs is 20 steps without a rebuild and without the test for it; they are crystals, in which neighbours stay. On a
GPU the launches of a cycle are those that are otherwise replayed as a graph; here they are started one by one with an
event before each. A long kernel runs first, so that all of them wait in the queue when the first begins: the times are
those of the GPU, not of the host. On a CPU, ordinary steps are made, and a clock is read around every launch. Bytes and
operations are those of traffic.py.
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
from everlet.lab.results import Outcome, plot, study
from everlet.perf import bench, options, plots, record, roofline
from everlet.perf.kernels import adding
from everlet.perf.profile_rows import Cycle, figures, text
from everlet.perf.runs import WARM, Case, count_pairs, prepared
from everlet.perf.systems import SAMPLES
from everlet.perf.traffic import Counts
from everlet.portable import Kernel, View, choose, kernels
from everlet.portable.graphs import Graph
from everlet.portable.spaces import NEVER
from everlet.run.graphs import Replay
from everlet.session import Session
from everlet.state.control import TOTAL, TROUBLE

USAGE = "everlet study profile [--system NAME] [--atoms N,…] [--precision P] [--device D] ...; see everlet study --help"
PROFILE: dict[str, tuple[options.Reader, Any]] = {
    **{name: bench.KNOWN[name] for name in ("precision", "device")}, "system": (options.one_of(*SAMPLES), "lj"),
    "atoms": (options.many(options.positive), []), "scheme": (options.word, ""), "cutoff": (options.length, 0.0),
    "cycles": (options.positive, 9), "out": (options.word, "study"),
}
MELTED = 5 * WARM  # steps before the first cycle: rows of the list grow while the lattice melts
HOST_LAUNCH = 60e-6  # seconds that the host takes to start one kernel, at most
LAUNCH = 10e-6  # what a launch costs on a CPU
REBUILT, STEADY = "s" * (WARM - 1) + "r", "s" * WARM  # steps of a cycle, by the letters of run/graphs.py

plot("profile")(plots.profile)


@study("profile")
def profile(words: list[str]) -> Outcome:
    """everlet study profile [--system lj|eam|sw|uf3|snap|snap-ta|mliap|mliap-nn|pace] [--atoms 32000] [--precision double]
                            [--scheme NAME] [--cutoff 2.5] [--cycles 9] [--device cpu] [--out FOLDER]

    What each kernel of a cycle takes, moves and computes, and what limits it: 20 steps, for lj the last with a rebuild, for
    the other systems of `everlet bench` none; --cutoff is for lj; their files are profile-NAME."""
    given = options.parse(words, PROFILE, USAGE)
    space = choose(given["device"], 1)
    content: dict[str, Any] = {**record.stamp(space), "peaks": asdict(roofline.peaks(space)), "rows": [], "cycles": []}
    tables, system = [], given["system"]
    wanted = {**given, "atoms": 0, "sizes": given["atoms"], "cutoff": [given["cutoff"]] if given["cutoff"] else [],
              "scheme": [given["scheme"]], "threads": [1], "steps": 0}
    for case in bench.cases(wanted, system):
        rows, cycle = measure(case, given["cycles"])
        content["rows"] += rows
        content["cycles"].append(cycle)
        tables.append(text(rows, cycle))
    name = "profile" if system == "lj" else f"profile-{system}"
    return given["out"], name, content, "\n\n".join(tables)


def measure(case: Case, cycles: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows of one case, and what is known of the whole cycle."""
    sim = prepared(case)
    sim.run(MELTED, post=False)
    on_gpu, plan = sim.space.many_threads, STEADY if case.sample.checked else REBUILT
    for more in (True, True, False):
        try:
            found, whole, empty = on_device(sim, cycles, plan) if on_gpu else on_host(sim, cycles, plan)
            break
        except RunError:
            if not more:
                raise
            sim.space.reset_control()
            sim.run(MELTED, post=False)  # makes room
    assert sim.loop is not None and sim.lists is not None
    atoms = sim.system.atoms
    rebuilt = on_gpu and plan == REBUILT  # behind the back of the host
    ghosts = sim.space.read_control()[TOTAL] - atoms.n if rebuilt else atoms.nghost
    scheme = sim.loop.pair.scheme if sim.loop.pair is not None else None
    counts = Counts(atoms.n, ghosts, sim.lists.pairs(), 0, sim.lists.bins.bins, sim.lists.kind == "full",
                    bool(getattr(getattr(scheme, "fixed", None), "used", False)))
    counts.pairs = count_pairs(sim, case.radius)
    about = {"system": case.system, "precision": case.precision, "scheme": sim.system.scheme, "steps": WARM, **asdict(counts),
             "microseconds": 1e6 * statistics.median(sum(one[3] for one in cycle) for cycle in found),
             "graph_microseconds": 1e6 * whole, "empty_microseconds": 1e6 * empty}
    rows = figures(found, counts, roofline.peaks(sim.space), case.precision, empty or LAUNCH, sim, case.sample.stages)
    return rows, about


# ---- times
class Watch:
    """Reads a clock around every launch of a CPU space."""

    def __init__(self, sim: Session):
        self.cycle: Cycle = []
        self.clock = time.process_time if sim.space.threads == 1 else time.perf_counter

    def __call__(self, kernel: Kernel, items: Any, args: tuple[Any, ...], launch: Callable[[], None]) -> None:
        begin = self.clock()
        launch()
        self.cycle.append((kernel, items, args, self.clock() - begin))


def on_host(sim: Session, cycles: int, plan: str = REBUILT) -> tuple[list[Cycle], float, float]:
    """Ordinary steps with a watch; also the seconds of a whole cycle, with what is not in a kernel."""
    assert sim.loop is not None and sim.lists is not None
    watch, found, whole = Watch(sim), [], []
    before = sim.lists.settings.once
    try:
        sim.lists.settings.once = before or plan == STEADY
        for _ in range(cycles):
            watch.cycle = []
            sim.space.watch = watch
            begin = watch.clock()
            for _ in range(WARM):
                sim.loop.step()
            whole.append(watch.clock() - begin)
            found.append(watch.cycle)
    finally:
        sim.space.watch, sim.lists.settings.once = None, before
    return found, statistics.median(whole), 0.0


def on_device(sim: Session, cycles: int, plan: str = REBUILT) -> tuple[list[Cycle], float, float]:
    """The launches of a cycle between events; also the seconds of the same cycle as one graph, and between two events
    that follow each other."""
    assert sim.loop is not None
    if sim.loop.replay is None:
        raise InputError(f"study profile needs steps that can be replayed as graphs: {Replay.why_not(sim.loop)}",
                         "choose another scheme")
    space, gpu = sim.space, sim.space.gpu
    launches = sim.loop.replay.launches(plan)
    busy = _busy(sim, HOST_LAUNCH * len(launches))
    graph, found, whole, empty = Graph(space, launches), [], [], []
    try:
        for number in range(cycles + 1):
            busy()
            marks = []
            for kernel, items, args, limit in launches:
                marks.append(gpu.mark())
                space.limit = limit
                kernels.run(space, kernel, items, args)
            marks += [gpu.mark(), gpu.mark()]
            _no_trouble(sim)
            if number:  # the first cycle loads kernels
                times = [gpu.seconds(*two) for two in itertools.pairwise(marks)]
                found.append([(*launch[:3], seconds) for launch, seconds in zip(launches, times, strict=False)])
                empty.append(times[-1])
        for _ in range(cycles + 1):
            begin = gpu.mark()
            graph.replay()
            end = gpu.mark()
            _no_trouble(sim)
            whole.append(gpu.seconds(begin, end))
    finally:
        space.limit = NEVER
        graph.close()
    return found, statistics.median(whole[1:]), statistics.median(empty)


def _busy(sim: Session, seconds: float) -> Any:
    """A function that keeps the GPU busy for about so long and returns at once."""
    space, rounds = sim.space, 20000
    out = View(1 << 16, np.float64, space)
    kernel = adding(8, chained=True)

    def run(rounds: int) -> None:
        kernels.parallel_for(space, out.shape[0], kernel, rounds, 0.5, out)

    run(rounds)
    space.synchronize()
    begin = time.perf_counter()
    run(rounds)
    space.synchronize()
    needed = int(rounds * seconds / max(time.perf_counter() - begin, 1e-6)) + rounds
    return lambda: run(needed)


def _no_trouble(sim: Session) -> None:
    """Wait for the GPU. After trouble all kernels do nothing, and their times say nothing."""
    if sim.space.read_control()[TROUBLE]:
        raise RunError("the system outgrew its arrays while it was measured", "try again, or with another number of atoms")

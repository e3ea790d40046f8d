"""γ: the time that the operations of a step should take by the cycles of `everlet micro`, over the time that they take.

    arithmetic = sum of operations times cycles of one        (add, mul, fma, div, sqrt, exp, …, compare and select as add)
    memory     = sum of loads, gathers and stores times cycles of one, as if all data were in the first cache
    γ          = max(arithmetic, memory, launches) / measured time

Operations are counted from the texts of the kernels (operations.py), on a small piece of the same matter, per atom. Whole
numbers are counted and cost nothing: other parts of a core do them meanwhile. γ = 1 would be a core that does nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from everlet.errors import EverletError
from everlet.perf import micro
from everlet.perf.clock import Clock
from everlet.perf.operations import Counts, counted
from everlet.perf.runs import Case, prepared
from everlet.portable import Kernel, Space, choose
from everlet.portable.kernels import lane_width, register_lanes
from everlet.portable.language.dtypes import dtype

FEWEST = 100  # atoms of the small piece, at least; fewer where an atom is a lot of work
ARITHMETIC = {name: name for name in ("add", "mul", "fma", "div", "sqrt", "rsqrt", "exp", "log", "sin", "cos", "erfc", "floor",
                                      "lane_sum")}
ARITHMETIC |= dict.fromkeys(("compare", "select", "where", "least", "most", "magnitude", "difference", "leading_bits"), "add")
# accesses: what one is made of, in numbers read by index, side by side and written; of a row that is read by index only the
# first number counts as such
ACCESSES = {"load": {"load": 1}, "element": {"load": 1}, "put": {"store": 1}, "store": {"store": 1}, "gather": {"gather": 1},
            "gather3": {"gather": 1, "load": 2}, "gather4": {"gather": 1, "load": 3}, "lookup": {"gather": 1},
            "lookup2": {"gather": 1, "load": 1}, "lookup4": {"gather": 1, "load": 3}, "lookup8": {"gather": 1, "load": 7},
            "octave_row": {"gather": 1, "load": 5}, "load4": {"load": 4}, "item4": {"load": 4}, "store4": {"store": 4},
            "add3": {"load": 3, "store": 3},
            "subtract3": {"gather": 1, "load": 2, "store": 3}, "subtract3_distinct": {"gather": 1, "load": 2, "store": 3},
            "subtract": {"gather": 1, "store": 1}, "scatter_add": {"load": 1, "store": 1}, "append": {"store": 1},
            "add_sums": {"load": 2, "store": 2}, "atomic_add": {"load": 1, "store": 1}}


@dataclass
class Phase:
    """The work of a phase of a step, for each atom, and its launches in a step."""

    counts: Counts = field(default_factory=dict)
    launches: int = 0

    def add(self, counts: Counts, atoms: int) -> None:
        for key, number in counts.items():
            self.counts[key] = self.counts.get(key, 0.0) + number / atoms


class Watch:
    """Counts the operations of every launch, which then runs as usual."""

    def __init__(self, sim: Any, measured: Space, precision: str):
        self.sim, self.measured, self.precision = sim, measured, precision
        self.phases: dict[str, Phase] = {}

    def __call__(self, kernel: Kernel, items: Any, args: tuple[Any, ...], launch: Callable[[], None]) -> None:
        phase = self.phases.setdefault(self.sim.loop.timers.phase, Phase())
        width, alone = lanes_of(kernel, self.measured)
        phase.add(counted(self.sim.space, kernel, int(items), args, width, alone), self.sim.system.natoms)
        phase.launches += 1
        launch()


def lanes_of(kernel: Kernel, space: Space) -> tuple[int, int]:
    """Lanes of a kernel on a space, and how many numbers one number takes as long as."""
    if space.many_threads:
        return max(kernel.team, 1), 1 if kernel.league else kernel.team
    width = kernel.width or lane_width(space.target, kernel.precision)
    return width, register_lanes(dtype("real", kernel.precision)) if space.target == "cpu" else 1


def work(case: Case) -> dict[str, Phase]:
    """The phases of a step without a rebuild, counted on a small piece of the matter of a case, in plain Python."""
    few = min(FEWEST, case.sample.atoms // 27)
    cells = next(n for n in range(1, 100) if case.sample.per_cell * n**3 >= few)
    sim = prepared(replace(case, atoms=case.sample.per_cell * cells**3, device="reference", threads=1))
    sim.run(0, post=False)
    assert sim.loop is not None and sim.lists is not None
    sim.lists.settings.once = True
    watch = Watch(sim, choose(case.device, case.threads), case.precision)
    sim.space.watch = watch
    try:
        sim.loop.step()
    finally:
        sim.space.watch = None
    return watch.phases


def predicted(phases: dict[str, Phase], names: tuple[str, ...], space: Space, atoms: int) -> tuple[float, str]:
    """Seconds of a step's phases by the cycles of single operations, and what they are spent for."""
    unit = micro.one_unit(space)
    units = Clock.of(unit).units if space.many_threads else space.threads
    spent = {"arithmetic": 0.0, "memory": 0.0, "launches": 0.0}
    for name in names or tuple(phases):
        phase = phases.get(name, Phase())
        for (what, kind), number in phase.counts.items():
            if kind == "whole" and what not in ACCESSES:
                continue
            precision = "single" if kind == "single" else "double"
            if what in ARITHMETIC:
                spent["arithmetic"] += number * _seconds(unit, ARITHMETIC[what], precision, "throughput")
            for access, times in ACCESSES.get(what, {}).items():
                spent["memory"] += number * times * _seconds(unit, access, precision, "first cache")
        if phase.launches:
            how = "in a graph" if space.replays else "alone"
            spent["launches"] += phase.launches * units * _seconds(unit, "launch", "double", how) / atoms
    limit = max(spent, key=lambda one: spent[one])
    return spent[limit] * atoms / units, limit


def _seconds(unit: Space, name: str, precision: str, what: str) -> float:
    found = micro.figures(unit, name, precision)
    cycles, gigahertz = found.get(what) or next(iter(found.values()))
    return cycles / gigahertz * 1e-9


def gamma(case: Case, atoms: int, phases: dict[str, float], seconds: float) -> dict[str, Any]:
    """γ of the pair forces, on a GPU of whole steps, and what limits them; `phases` and `seconds` are those of one step."""
    alone = not choose(case.device, case.threads).many_threads
    if not case.sample.pieces:
        return {"gamma": None, "gamma_why_not": "there is no small piece of it to count operations in"}
    try:
        counts = work(case)
    except EverletError as error:
        return {"gamma": None, "gamma_why_not": error.cause.splitlines()[0]}
    names = ("Pair",) if alone else ()
    time, limit = predicted(counts, names, choose(case.device, case.threads), atoms)
    spent = phases.get("Pair", 0.0) if alone else seconds
    operations = {name: {f"{what} {kind}": round(number, 3) for (what, kind), number in sorted(phase.counts.items())}
                  for name, phase in counts.items()}
    return {"gamma": time / spent if spent > 0 else None, "gamma_of": "Pair" if alone else "steps", "gamma_limit": limit,
            "operations_per_atom": operations}

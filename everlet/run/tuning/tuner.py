"""Tuning: how a long run does its work is measured before its first step, and the fastest way is used.

First the pair schemes, then each knob (knobs.py) with all others as they are. What is measured is one step at the
present positions, right after a sort: positions to ghosts, forces, and a share of the neighbour build. For the skin
that share is an estimate: lists are expected to last until the fastest atom has gone half of it. How fast the order in
memory gets lost cannot be seen before a run. The sort interval follows from the time of one sort, if forces with
shuffled atoms are slower at all: the shortest interval that costs at most SORTING of the time.

No step is made meanwhile, no hook of a fix is called, and atoms are put back into their order: a tuned run differs by
nothing from one that was given the same values. All measuring together takes at most SHARE of the run's expected
time, compiling included. On several ranks all measure together, and the time of the slowest counts: every number that
decides something is the same on all of them, so all come to the same plan. Results are remembered in `tune.json` of
the cache directory, by machine, pair style, sizes, ranks, precision and threads: the next run of that kind measures
only what was not measured yet.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from everlet.comm.world import writes
from everlet.errors import EverletError
from everlet.forces.pair.schemes.base import scheme_on
from everlet.io import remembered
from everlet.neighbor.decide import NeighborSettings
from everlet.portable import Kernel, cache
from everlet.run.phases import FORCES, TO_FORCES, Now
from everlet.run.step import Timestep
from everlet.run.tuning.knobs import KNOBS, Knob, of_scheme
from everlet.state.plan import Plan
from everlet.state.system import System
from everlet.version import __version__

STEPS, ATOMS = 500, 2000  # shorter runs and smaller systems are over before measuring pays
SHARE = 0.03  # of the run's expected time, for all measuring
GAIN = 0.03  # the default stays unless something is faster by this much: noise must not choose
REPEATS = 3
TRIAL, REHEARSAL = 14, 6  # steps that they take, about
COMPILING, LOADING = 4.0, 0.03  # seconds expected for a kernel that must be compiled, or read from the cache
LONGEST = 1000  # most steps between two neighbour builds that are counted on
SORTING, SORTS = 0.003, (100, 200, 500, 1000, 2000, 5000)
ONE_SORT = "one sort"

Make = Callable[[Plan], Timestep]  # the loop for a plan, with everything it compiles known but nothing computed
Times = dict[str, float | None]  # ns per atom and step, by label; None: not usable here


def label(plan: Plan) -> str:
    """The name of a plan among the times: 'full', 'full skin 0.42'."""
    return " ".join(plan.words()).removeprefix("scheme ")


@dataclass
class Choice:
    """A plan, and the nanoseconds per atom and step that were measured (None: not usable here)."""

    plan: Plan
    times: Times
    remembered: bool = False

    def line(self) -> str:
        """What the log says about it: the schemes, and what became of the best one."""
        shown = ", ".join(f"{name} {ns:.0f}" for name, ns in self.times.items() if ns is not None and " " not in name)
        last = self.times.get(label(replace(self.plan, sort=0)))
        if last is not None and label(replace(self.plan, sort=0)) != self.plan.scheme:
            shown += f"; in the end {last:.0f}"
        return f"tune: {', '.join(self.plan.words())} ({shown} ns/atom{', remembered' if self.remembered else ''})"


class Tuner:
    """Chooses the plan of a simulation; what it chose for a system of one kind stays."""

    def __init__(self) -> None:
        self.chosen: dict[str, Plan] = {}

    def choose(self, system: System, settings: NeighborSettings, default: Plan, steps: int, make: Make) -> Choice | None:
        """The plan for a run of `steps`; None if the default is to be used. Without times: chosen by an earlier run."""
        if system.pair is None or system.natoms < ATOMS or system.space.interpreted:
            return None
        key = kind(system, settings.given_skin(system.units.skin))
        if key in self.chosen:
            return Choice(self.chosen[key], {})
        if steps < STEPS:
            return None
        choice = TuningSession(system, settings, key, steps, make).choose(default)
        self.chosen[key] = choice.plan
        return choice


def kind(system: System, skin: float) -> str:
    """What measurements depend on, in words: systems of one kind share them."""
    system.pair.init()  # the cutoffs
    radius, box = system.pair.max_cutoff + skin, system.need_box()
    ball = math.pi * radius**2 if box.dimension == 2 else 4.0 / 3.0 * math.pi * radius**3
    near = ball * system.natoms / box.volume
    return " | ".join((
        f"everlet {__version__}", system.space.machine(), str(system.space), system.pair.kind,
        "one type" if system.ntypes == 1 else "types", f"4^{round(math.log(system.natoms, 4))} atoms",
        f"2^{round(math.log2(max(near, 1.0)))} neighbours", system.precision,
        f"newton {'on' if system.newton else 'off'}", *([f"{system.ranks.size} ranks"] if system.ranks.size > 1 else [])))


def rebuild_interval(system: System, settings: NeighborSettings, skin: float) -> float:
    """Steps from one neighbour build to the next, as far as can be told: the fastest atom goes half the skin."""
    if settings.once:
        return LONGEST
    least = settings.every * max(1, math.ceil(settings.delay / settings.every))
    if not settings.check:
        return least
    v = system.atoms.read("v")
    fastest_one = float(system.ranks.max([np.einsum("ij,ij->i", v, v).max(initial=0.0)])[0])
    way = math.sqrt(fastest_one) * system.dt
    return max(least, 0.5 * skin / way) if way * LONGEST > 0.5 * skin else max(least, LONGEST)


def candidates(system: System, default: str) -> list[str]:
    """Schemes worth measuring, the default first, then those with lists."""
    kinds = {name: scheme_on(name, system.space, system.pair) for name in system.pair.schemes}
    others = [name for name, kind in kinds.items() if name != default and kind.worth_trying(system)]
    return [default, *sorted(others, key=lambda name: not kinds[name].needs_list)]


def _schemes(system: System, settings: NeighborSettings, plan: Plan) -> list[Any]:
    return candidates(system, plan.scheme)[1:]


def fastest(times: Times, default: str) -> str:
    """The label with the least time, or the default if the gain is small."""
    usable = {name: ns for name, ns in times.items() if ns is not None}
    best = min(usable, key=lambda name: usable[name], default=default)
    return best if usable.get(best, math.inf) < (1.0 - GAIN) * usable.get(default, math.inf) else default


class TuningSession:
    """One round of measuring for a system; `known` are the times of earlier ones and of this one."""

    def __init__(self, system: System, settings: NeighborSettings, key: str, steps: int, make: Make):
        self.system, self.settings, self.key, self.steps, self.make = system, settings, key, steps, make
        self.known: Times = {}
        self.fresh: set[str] = set()  # measured in this sitting
        self.per_step = self.budget = self.spent = 0.0  # seconds
        self.needed: set[Path] = set()  # kernels of the default plan: the run pays for them anyway

    def choose(self, default: Plan) -> Choice:
        self.known = self._remembered(default)
        self._count_on(default)
        self.needed = {one.path for one in self._programs(default)}
        best = default
        with undisturbed(self.system):
            if not self.known:
                self._rehearse(default)
                self._measure(default)
                self._count_on(default)
            best = self._settle(Knob("scheme", _schemes), best)
            for knob in (*of_scheme(self.system, best), *KNOBS):
                best = self._settle(knob, best)
            best = self._sort(best)
        if self.fresh and writes():
            remembered.put("tune", self.key, {name: ns and round(ns, 1) for name, ns in self.known.items()})
        return Choice(best, self.known, remembered=not self.fresh)

    def _remembered(self, default: Plan) -> Times:
        """Times of earlier runs; nothing if the file holds something else than times."""
        found = self.system.ranks.from_first(remembered.get("tune", self.key))
        whole = all(ns is None or (isinstance(ns, (int, float)) and math.isfinite(ns) and ns > 0) for ns in found.values())
        return dict(found) if whole and found.get(label(default)) is not None else {}

    def _count_on(self, default: Plan) -> None:
        """What the run may take, by the time of the default."""
        self.per_step = (self.known.get(label(default)) or 0.0) * 1e-9 * self.system.natoms
        self.budget = SHARE * self.steps * self.per_step

    def _settle(self, knob: Knob, best: Plan) -> Plan:
        """The best value of one knob; the present one is measured again with new ones: times of one sitting compare."""
        values = self.system.ranks.from_first(knob.values(self.system, self.settings, best))
        plans = {label(plan): plan for plan in (best.turned(knob.name, value) for value in values)}
        for plan in [plan for name, plan in plans.items() if name not in self.known and self._affordable(plan)]:
            if label(best) not in self.fresh:
                self._rehearse(best)
                self._measure(best)
            if self._affordable(plan):
                self._measure(plan, self.per_step)
        names = [name for name in (label(best), *plans) if name in self.known]
        if self._fastest(names) != label(best) and self.fresh & set(plans) and self._affordable(best):
            self._measure(best)  # once more: a moment of other work on the machine must not choose
        return plans.get(self._fastest(names), best)

    def _fastest(self, names: list[str]) -> str:
        return fastest({name: self.known[name] for name in names}, names[0])

    def _sort(self, best: Plan) -> Plan:
        """The sort interval: see the top of this file."""
        shuffled, system = f"{label(best)} shuffled", self.system
        if system.sort_given:
            return best
        if not {ONE_SORT, shuffled} <= set(self.known):
            if not self._affordable(best):
                return best
            with self._watched():
                loop = self.make(best)
                compile_in_turns(self.system, loop)
                loop.evaluator.rebuild(count=False)
                self._note(ONE_SORT, _seconds(system, loop.neighbor.sort_atoms))
                system.atoms.select(np.random.default_rng(1).permutation(system.atoms.n))
                system.next_sort = sys.maxsize
                self._note(shuffled, trial(system, loop, self._interval(best)))
        cost, far, near = (self.known.get(name) or 0.0 for name in (ONE_SORT, shuffled, label(best)))
        if far * (1.0 - GAIN) <= near:
            return best
        return replace(best, sort=next((n for n in SORTS if cost / n <= SORTING * near), SORTS[-1]))

    def _rehearse(self, plan: Plan) -> None:
        """Load the kernels that the run needs anyway, so that their time does not count; their work does."""
        loop = self.make(plan)
        compile_in_turns(self.system, loop)
        loop.evaluator.rebuild(count=False)
        loop.go(FORCES, Now())
        self.spent += REHEARSAL * self.per_step

    def _measure(self, plan: Plan, usual: float = math.inf) -> None:
        """The time of a plan, or None if its scheme does not do this system."""
        with self._watched():
            try:
                loop = self.make(plan)
                self.system.next_sort = 0  # every plan has the atoms in the order of its own bins
                self._note(label(plan), trial(self.system, loop, self._interval(plan), usual))
            except EverletError:
                self.known[label(plan)] = None
                self.fresh.add(label(plan))

    def _note(self, name: str, seconds: float) -> None:
        before = self.known.get(name) if name in self.fresh else None
        self.known[name] = min(seconds / self.system.natoms * 1e9, before or math.inf)
        self.fresh.add(name)

    @contextmanager
    def _watched(self) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.spent += slowest(self.system, time.perf_counter() - begin)

    def _interval(self, plan: Plan) -> float:
        given = self.settings.skin if self.settings.skin >= 0 else plan.skin or self.system.units.skin
        return rebuild_interval(self.system, self.settings, given)

    def _programs(self, plan: Plan) -> list[Any]:
        evaluator = self.make(plan).evaluator
        kernels = evaluator.dry(False)
        evaluator.drop()
        return [kernel.program(self.system.space.target, self.system.space.widest) for kernel in kernels]

    def _affordable(self, plan: Plan) -> bool:
        """Whether a trial fits into what is left, with the kernels that it needs."""
        try:
            programs = [one for one in self._programs(plan) if one.entry is None and one.path not in self.needed]
        except EverletError:
            return True  # found out, and remembered, by the trial itself at no cost
        waiting = slowest(self.system, sum(LOADING if cache.built(one.path) else COMPILING for one in programs))
        return TRIAL * self.per_step + waiting <= self.budget - self.spent


@contextmanager
def undisturbed(system: System) -> Iterator[None]:
    """Whatever is measured inside, atoms are as before afterwards, in the same order."""
    atoms, n, next_sort, lost = system.atoms, system.atoms.n, system.next_sort, list(system.lost)
    saved = {name: field.view.on_device().data[: n * field.view.device.width].copy() for name, field in atoms.fields.items()}
    try:
        yield
    finally:
        atoms.n, atoms.nghost, system.next_sort, system.lost = n, 0, next_sort, lost
        for name, data in saved.items():
            atoms.view(name, modify=True).data[: len(data)] = data


def trial(system: System, loop: Timestep, interval: float, usual: float = math.inf) -> float:
    """Seconds per step with the lists and forces of this loop; far slower than `usual` is not measured twice."""
    compile_in_turns(system, loop)
    loop.evaluator.rebuild(count=False)  # the first build finds the capacities
    build = _seconds(system, lambda: loop.evaluator.rebuild(count=False))

    def step() -> None:
        loop.go(TO_FORCES, Now())

    step()  # the first one loads kernels and touches new memory
    best = _seconds(system, step)
    for _ in range(REPEATS):
        best = min(best, _seconds(system, step))
        if best > 2.0 * usual:
            break
    return best + build / interval


def _seconds(system: System, action: Callable[[], None]) -> float:
    """CPU seconds where there is one CPU thread, so that other work on the machine does not choose; else wall clock."""
    alone = system.space.simd and system.space.most == 1
    clock = time.process_time if alone else time.perf_counter
    system.space.synchronize()
    begin = clock()
    action()
    system.space.synchronize()
    return slowest(system, clock() - begin)


def slowest(system: System, seconds: float) -> float:
    """The longest time of all ranks."""
    return float(system.ranks.max([seconds])[0])


def compile_in_turns(system: System, loop: Timestep, more: Sequence[Kernel] = ()) -> None:
    """Compile what is missing, on one rank of each machine; the others find it in the cache."""
    kernels = [*loop.kernels(), *more]
    for turn in (True, False):
        if (system.world.node_rank == 0) == turn:
            loop.compile(kernels)
        system.world.barrier()

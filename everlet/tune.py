"""Tuning: the pair schemes are measured before the first step of a long run, and the fastest is used.

What is measured is one step at the present positions: sending positions to ghosts, forces, and a share of the
neighbour build. No step is made meanwhile, so a tuned run differs from one that was given the same scheme by nothing.
All measuring together takes at most SHARE of the run's expected time, compiling included. Results are remembered in
`tune.json` of the cache directory, by machine, pair style, sizes, precision and threads: the next run of that kind
measures only what was not measured yet.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from everlet import __version__
from everlet.errors import EverletError
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.io import remembered
from everlet.neighbor.decide import NeighborSettings
from everlet.portable import cache
from everlet.state.system import System
from everlet.timestep import Timestep

STEPS, ATOMS = 500, 2000  # shorter runs and smaller systems are over before measuring pays
SHARE = 0.03  # of the run's expected time, for all measuring
GAIN = 0.03  # the default stays unless something is faster by this much: noise must not choose
REPEATS = 3
COMPILING, LOADING = 4.0, 0.1  # seconds expected for a kernel that must be compiled, or read from the cache
LONGEST = 1000  # most steps between two neighbour builds that are counted on

Make = Callable[[str], Timestep]  # the loop for a scheme, with everything it compiles known but nothing computed


@dataclass
class Choice:
    """A scheme, and the nanoseconds per atom and step that were measured for each (None: not usable here)."""

    scheme: str
    times: dict[str, float | None]
    remembered: bool = False

    def line(self) -> str:
        """What the log says about it."""
        shown = ", ".join(f"{name} {ns:.0f}" for name, ns in self.times.items() if ns is not None)
        return f"tune: scheme {self.scheme} ({shown} ns/atom{', remembered' if self.remembered else ''})"


class Tuner:
    """Chooses the scheme of a simulation; what it chose for a system of one kind stays."""

    def __init__(self) -> None:
        self.chosen: dict[str, str] = {}

    def choose(self, system: System, settings: NeighborSettings, skin: float, default: str, steps: int, make: Make
               ) -> Choice | None:
        """The scheme for a run of `steps`; None if the default is to be used. Without times: chosen by an earlier run."""
        if system.pair is None or system.natoms < ATOMS or system.space.target == "plain":
            return None
        key = kind(system, skin)
        if key in self.chosen:
            return Choice(self.chosen[key], {})
        if steps < STEPS:
            return None
        choice = _measure(system, key, default, steps, rebuild_interval(system, settings, skin), make)
        self.chosen[key] = choice.scheme
        return choice


def kind(system: System, skin: float) -> str:
    """What measurements depend on, in words: systems of one kind share them."""
    system.pair.init()  # the cutoffs
    radius, box = system.pair.max_cutoff + skin, system.need_box()
    ball = math.pi * radius**2 if box.dimension == 2 else 4.0 / 3.0 * math.pi * radius**3
    near = ball * system.natoms / box.volume
    return " | ".join((
        f"everlet {__version__}", remembered.machine(system.space), str(system.space), system.pair.name,
        "one type" if system.ntypes == 1 else "types", f"4^{round(math.log(system.natoms, 4))} atoms",
        f"2^{round(math.log2(max(near, 1.0)))} neighbours", system.precision,
        f"newton {'on' if system.newton else 'off'}"))


def rebuild_interval(system: System, settings: NeighborSettings, skin: float) -> float:
    """Steps from one neighbour build to the next, as far as can be told: the fastest atom goes half the skin."""
    if settings.once:
        return LONGEST
    least = settings.every * max(1, math.ceil(settings.delay / settings.every))
    if not settings.check:
        return least
    v = system.atoms.read("v")
    way = math.sqrt(float(np.einsum("ij,ij->i", v, v).max(initial=0.0))) * system.dt
    return max(least, 0.5 * skin / way) if way * LONGEST > 0.5 * skin else max(least, LONGEST)


def candidates(system: System, default: str) -> list[str]:
    """Schemes worth measuring, the default first, then those with lists."""
    others = [name for name in pair_scheme if name != default and pair_scheme[name].worth_trying(system)]
    return [default, *sorted(others, key=lambda name: not pair_scheme[name].needs_list)]


def fastest(times: dict[str, float | None], default: str) -> str:
    """The scheme with the least time, or the default if the gain is small."""
    usable = {name: ns for name, ns in times.items() if ns is not None}
    best = min(usable, key=lambda name: usable[name])
    return best if usable[best] < (1.0 - GAIN) * usable.get(default, math.inf) else default


def _known(key: str, default: str, names: list[str]) -> dict[str, float | None]:
    """Remembered times of these schemes; nothing if the file holds something else than times."""
    kept = remembered.get("tune", key)
    found = {name: kept[name] for name in names if name in kept}
    whole = all(ns is None or (isinstance(ns, (int, float)) and math.isfinite(ns) and ns > 0) for ns in found.values())
    return found if whole and found.get(default) is not None else {}


def _measure(system: System, key: str, default: str, steps: int, interval: float, make: Make) -> Choice:
    names = candidates(system, default)
    known = _known(key, default, names)
    untried = [name for name in names if name not in known]
    per_step = (known.get(default) or 0.0) * 1e-9 * system.natoms
    if known and (not untried or not _affordable(system, untried[0], make, SHARE * steps * per_step, per_step)):
        return Choice(fastest(known, default), known, remembered=True)
    # the default is measured again with the new ones: times of one sitting compare
    loop = make(default)
    loop.compile()
    begin = time.perf_counter()
    first = trial(system, loop, interval)
    budget = SHARE * steps * first
    measured: dict[str, float | None] = {default: first / system.natoms * 1e9}
    for name in (name for name in untried if name != default):
        spent = time.perf_counter() - begin
        if not _affordable(system, name, make, budget - spent, first):
            break
        try:
            measured[name] = trial(system, make(name), interval, first) / system.natoms * 1e9
        except EverletError:  # this scheme does not do this system
            measured[name] = None
    times = {**known, **measured}
    remembered.put("tune", key, {name: ns and round(ns, 1) for name, ns in times.items()})
    return Choice(fastest(times, default), times)


def _affordable(system: System, name: str, make: Make, budget: float, per_step: float) -> bool:
    """Whether a trial fits into what is left: about twelve steps, and the kernels that it needs."""
    try:
        kernels = make(name).kernels()
    except EverletError:
        return True  # found out, and remembered, by the trial itself at no cost
    programs = [kernel.program(system.space.target) for kernel in kernels]
    waiting = sum(LOADING if cache.built(one.path) else COMPILING for one in programs if one.entry is None)
    return 12 * per_step + waiting <= budget


def trial(system: System, loop: Timestep, interval: float, usual: float = math.inf) -> float:
    """Seconds per step with the lists and forces of this loop; far slower than `usual` is not measured twice."""
    loop.compile()
    loop.rebuild(count=False)  # the first build finds the capacities
    build = _seconds(system, lambda: loop.rebuild(count=False))

    def step() -> None:
        loop.comm.forward(loop.neighbor.system)
        loop.forces(False)

    step()  # the first one loads kernels and touches new memory
    best = _seconds(system, step)
    for _ in range(REPEATS):
        best = min(best, _seconds(system, step))
        if best > 2.0 * usual:
            break
    return best + build / interval


def _seconds(system: System, action: Callable[[], None]) -> float:
    """CPU seconds on one CPU thread, so that other work on the machine does not choose; else by the wall clock."""
    alone = system.space.target == "cpu" and system.space.threads == 1
    clock = time.process_time if alone else time.perf_counter
    system.space.synchronize()
    begin = clock()
    action()
    system.space.synchronize()
    return clock() - begin

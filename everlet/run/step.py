"""The timestep, on one screen.

initial_integrate -> (moved too far? exchange, sort, ghosts, lists : ghost positions) -> forces -> ghost forces home ->
post_force -> final_integrate -> end_of_step -> output. Energy and virial are tallied only on steps that ask.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from everlet.comm.serial import SerialComm
from everlet.fixes.base import HOOKS, Fix
from everlet.forces.pair.driver import PairDriver
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, warm
from everlet.portable.batch import collected, fused, join
from everlet.run.graphs import Replay
from everlet.run.outputs import Outputs
from everlet.state.system import System

Hook = Callable[[], None]


class Timers:
    """Wall-clock seconds per phase; at the level `full` also CPU seconds, at `off` and `loop` nothing.

    meet() waits for the other ranks after each phase, if it is given; that time is the phase Sync.
    """

    def __init__(self, level: str = "normal", meet: Hook | None = None) -> None:
        self.level, self.meet = level, meet
        self.seconds: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        self.asked = 0.0

    def clear(self) -> None:
        self.seconds.clear()
        self.cpu.clear()
        self.asked = 0.0

    def work(self) -> float:
        """Seconds spent on what grows with the atoms of a rank, since this was asked before."""
        now, before = self.seconds.get("Pair", 0.0) + self.seconds.get("Neigh", 0.0), self.asked
        self.asked = now
        return now - before

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        if self.level in ("off", "loop"):
            yield
            return
        cpu = time.process_time() if self.level == "full" else 0.0
        begin = time.perf_counter()
        yield
        self.seconds[phase] = self.seconds.get(phase, 0.0) + time.perf_counter() - begin
        if self.level == "full":
            self.cpu[phase] = self.cpu.get(phase, 0.0) + time.process_time() - cpu
        if self.meet is not None:
            begin = time.perf_counter()
            self.meet()
            self.seconds["Sync"] = self.seconds.get("Sync", 0.0) + time.perf_counter() - begin


class Timestep:
    """Advances a system. `outputs` says what each step needs, which one is the last, and writes what is due."""

    def __init__(self, system: System, comm: SerialComm, neighbor: Neighbor, pair: PairDriver | None, fixes: list[Fix],
                 outputs: Outputs, timers: Timers):
        self.system, self.comm, self.neighbor, self.pair = system, comm, neighbor, pair
        self.outputs = outputs
        self.replay: Replay | None = None  # replays steps without events on a GPU
        self.fixes = fixes
        self.timers = timers
        here = [fix.system.space is system.space for fix in fixes] + [neighbor.system.space is system.space]
        self.steady = all(here) and all(fix.steady for fix in fixes)
        self.hooks: dict[str, list[Hook]] = {
            hook: [getattr(fix, hook) for fix in fixes if fix.overrides(hook)] for hook in HOOKS
        }
        comm.hooks = self.hooks["pre_exchange"]

    def call(self, hook: str) -> None:
        for function in self.hooks[hook]:
            function()

    def kernels(self) -> list[Kernel]:
        """What a run compiles."""
        system, found = self.system, [*self.comm.kernels(self.neighbor.system, self.neighbor.upper), *self.neighbor.kernels()]
        for part in (self.pair, *self.fixes, *system.computes.values()):
            found += part.kernels() if part is not None else []
        if self.pair is not None and self.pair.scheme.communicates:
            found += self.comm.value_kernels()
        if self.steady:
            with collected(system.space) as launches:
                self.first_half(self.neighbor.settings.check)
            found += [launch[0] for launch in join(launches)]
        return found

    def compile(self) -> None:
        """Compile what is missing, several kernels at a time. What runs on the host beside a GPU is compiled when used."""
        if self.steady or self.system.space.target != "cuda":
            warm(self.system.space, self.kernels())

    def on_host(self) -> list[tuple[str, Any]]:
        """Styles that run on the host beside a GPU: their names, and the system as they see it."""
        found = [(f"fix {fix.id}", fix.system) for fix in self.fixes]
        found += [("the pair style", self.neighbor.system)] if self.pair is not None else []
        found = [(name, system) for name, system in found if system.space is not self.system.space]
        for fix in self.fixes:
            if fix.system.space is not self.system.space:
                with collected(fix.system.space):
                    for hook in HOOKS[2:]:
                        getattr(fix, hook)()
        if self.pair is not None and self.neighbor.system.space is not self.system.space:
            for name, written in (("x", False), ("f", True)):
                self.neighbor.system.atoms.view(name, modify=written)
        return found

    def setup(self) -> None:
        """Lists and forces for the present positions, before the first step."""
        self.rebuild(count=False)
        self.forces(True)
        self.call("setup")

    def rebuild(self, count: bool = True) -> None:
        """New ghosts and lists."""
        self.neighbor.rebuild(self.comm, count)
        if self.pair is not None:
            self.pair.rebuilt()

    def integrate(self) -> bool:
        """The first half of a step; whether lists may be rebuilt now. The test of displacements is part of the loop."""
        due = self.neighbor.due()
        with fused(self.system.space) if self.steady else nullcontext():
            self.first_half(due and self.neighbor.settings.check)
        return due

    def first_half(self, check: bool, position: int = 0) -> None:
        self.call("initial_integrate")
        if check:
            self.neighbor.mark_moved(position)

    def second_half(self) -> None:
        self.call("post_force")
        self.call("final_integrate")
        self.call("end_of_step")

    def forces(self, tally: bool) -> None:
        system = self.system
        if self.pair is None:
            system.atoms.view("f", modify=True).data[:] = 0.0
            system.tallied = system.step  # nothing to tally
            return
        with self.timers("Pair"):
            self.pair.compute(tally, self.comm)
        with self.timers("Comm"):
            self.pair.reverse(self.comm)
        if tally:
            system.tallied = system.step

    def run(self) -> None:
        """Advance up to the last step."""
        system, outputs = self.system, self.outputs
        while system.step < outputs.until(system.step):
            quiet = outputs.next_event(system.step) - system.step - 1
            if self.replay is not None and quiet > 0:
                with self.timers("Graph"):
                    self.replay.advance(quiet)
            self.step()

    def step(self) -> None:
        """One step, with the output that is due."""
        system, timers, outputs = self.system, self.timers, self.outputs
        system.step += 1
        with timers("Modify"):
            due = self.integrate()
        with timers("Neigh"):
            rebuild = due and self.neighbor.moved() if self.neighbor.settings.check else due
            rebuild = rebuild or outputs.rebuild_on(system.step)
            if rebuild:
                self.rebuild()
        if not rebuild:
            with timers("Comm"):
                self.comm.forward(self.neighbor.system)
        self.forces(outputs.tally(system.step))
        with timers("Modify"):
            self.second_half()
        with timers("Output"):
            outputs.step_done()

"""The command minimize: set-up, iterations with their output, and the report.

Each iteration is a step: it counts the step number on, and rows of thermo output, dumps and restart files come when due. A
minimisation that ends early writes all of them at its last step, with forces computed once more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from everlet.errors import InputError, one_of
from everlet.run.minimisers.base import REASONS, Limits, Minimiser, min_style
from everlet.run.minimisers.landscape import FORCE, Landscape
from everlet.run.running import begin_steps, finish
from everlet.run.step import Timestep

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine


@dataclass
class Report:
    """What is said at the end."""

    reason: str
    energies: tuple[float, float, float]  # initial, next to last, final
    norms: tuple[float, float]  # lengths of the vector of all forces, initial and final
    components: tuple[float, float]  # largest ones
    alpha: float
    iterations: int
    evaluations: int

    def text(self) -> str:
        first, previous, last = self.energies
        move = self.alpha * self.components[1]
        return "\n".join([
            "Minimization stats:", f"  Stopping criterion = {REASONS[self.reason]}",
            "  Energy initial, next-to-last, final = ", f"    {first:18.15g} {previous:18.15g} {last:18.15g}",
            f"  Force two-norm initial, final = {self.norms[0]:.8g} {self.norms[1]:.8g}",
            f"  Force max component initial, final = {self.components[0]:.8g} {self.components[1]:.8g}",
            f"  Final line search alpha, max atom move = {self.alpha:.8g} {move:.8g}",
            f"  Iterations, force evaluations = {self.iterations} {self.evaluations}", ""])


def minimise(engine: Engine, limits: Limits, landscape: Callable[[Timestep, bool], Landscape] = Landscape) -> None:
    """Go downhill until one of the limits is met; landscape: what the minimiser walks on."""
    system, settings = engine.system, engine.min_settings
    if system.box is None or not system.natoms:
        raise InputError("minimize without atoms", "create or read atoms first")
    chosen = min_style[settings.style]
    first = system.step
    last = first + limits.iterations
    system.run_start, system.run_stop = first, last
    begin_steps(engine, first, last, timed=False)
    if (engine.neighbor.every, engine.neighbor.delay, engine.neighbor.check) != (1, 0, True):
        engine.log.write("Switching to 'neigh_modify every 1 delay 0 check yes' setting during minimization")
    with system.fresh.making(), _in_the_end(engine, system.dt):
        engine.setup(settings.style)
        assert engine.loop is not None
        land = landscape(engine.loop, engine.thermo.normalises)
        if land.box is not None and not chosen.relaxes:
            raise InputError(f"fix {land.box.id} lets the box relax, which min_style {settings.style} cannot", "use cg or sd")
        land.add_vectors(*chosen.fields)
        try:
            _walk(engine, chosen(land, settings, limits), land)
        finally:
            land.remove_vectors()


@contextmanager
def _in_the_end(engine: Engine, dt: float) -> Iterator[None]:
    """The timestep is that of before; after an error nothing of the loop is used again."""
    system = engine.system
    try:
        yield
    except BaseException:
        engine.loop = None
        raise
    finally:
        system.dt, system.run_stop = dt, system.run_start


def _walk(engine: Engine, minimiser: Minimiser, land: Landscape) -> None:
    """All iterations."""
    system, outputs, loop = engine.system, engine.outputs, land.loop
    first, last = system.step, outputs.last
    minimiser.prepare()
    with engine.thermo.printing(engine.log):
        outputs.write(restart=False)
        engine.thermo.output(engine.log)
        begin, cpu = time.perf_counter(), time.process_time()
        engine.stopping.begin(first)
        with engine.progress, engine.stopping.signals.only_noted():
            loop.call("begin")
            minimiser.energy = start = land.value()
            norm, component = land.force_norm("two"), land.largest_with_box(FORCE)[0]
            land.begun()
            minimiser.begin()
            reason = ""
            while not reason:
                if system.step >= last:
                    reason = "iterations"
                    break
                if outputs.until(system.step) < last and outputs.last <= system.step + 1:
                    reason = "time"
                    break
                system.step += 1
                loop.set_clocks()
                minimiser.iterations += 1
                reason = minimiser.step()
                if not reason:
                    with loop.timers("Output"):
                        outputs.step_done()
            if reason != "iterations":
                outputs.last = engine.thermo.last = system.step
                minimiser.energy = land.energy(counted=False)
                with loop.timers("Output"):
                    outputs.step_done(everything=True)
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
        report = Report(reason, (start, minimiser.previous, minimiser.energy), (norm, land.force_norm("two")),
                        (component, land.largest_with_box(FORCE)[0]), minimiser.alpha, minimiser.iterations, land.evaluations)
        finish(engine, first, seconds, cpu, True, report.text())


def check_style(name: str) -> None:
    """Refuse a minimiser that is not here."""
    if name.startswith("spin"):
        raise InputError(f"min_style {name} is not available in Everlet", f"use {', '.join(min_style)}")
    one_of("minimiser", name, min_style)

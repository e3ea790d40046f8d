"""A run from its first line to its summary."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from everlet.io import summary
from everlet.io.progress import Progress
from everlet.state.continuing import drop_rest

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine

WHERE = frozenset(("x", "box"))  # lists and forces are made from


def begin_steps(engine: Engine, first: int, last: int, timed: bool = True) -> None:
    """Outputs know which steps are coming. Minimisations are not timed: the next run goes on at the time before them."""
    system = engine.system
    if (system.paused is None) != timed:
        system.time_base = (system.step, system.time if system.paused is None else system.paused)
        system.paused = None if timed else system.time
    if line := drop_rest(system):
        engine.log.write(line)
    system.fresh.changed("atoms")
    engine.outputs.begin(last)
    engine.thermo.begin(first, last, system.run_start)
    engine.progress = Progress(engine.log, first, last, engine.show_progress)


def run_steps(engine: Engine, steps: int, pre: bool, post: bool) -> None:
    """Set up, unless not `pre`, make the steps, and say what became of them."""
    system = engine.system
    first, last = system.step, system.step + steps
    begin_steps(engine, first, last)
    if pre:
        engine.setup()
    moved = not pre and bool((system.fresh.since(engine.made_at) or frozenset()) & WHERE)
    engine.beside.rest() if pre else engine.beside.put_back()
    assert engine.loop is not None and engine.lists is not None
    loop, decision = engine.loop, engine.lists.decision
    if pre:
        decision.builds = decision.dangerous = 0
    engine.thermo.builds, engine.thermo.dangerous = decision.builds, decision.dangerous
    loop.timers.clear()
    with engine.thermo.printing(engine.log):
        if not pre and (engine.lists.reused or moved):  # steps begin with new ones, as they do after any other set-up
            loop.rebuild(count=False)
        if not pre and (moved or system.energies_tallied != system.step):
            loop.forces(True)
            loop.call("post_force")
            loop.evaluator.settle()
        engine.outputs.write(restart=False)
        engine.thermo.output(engine.log)
        busy = time.process_time if post else float  # asking for it can take as long as a short run
        begin, cpu = time.perf_counter(), busy()
        engine.stopping.begin(first)
        try:
            with engine.progress, engine.stopping.signals.only_noted():
                loop.run()
        finally:
            for dump in system.dumps.values():
                dump.finish()
        for fix in system.fixes.values():
            fix.end_of_run()
        engine.space.synchronize()
        seconds, cpu = time.perf_counter() - begin, busy() - cpu
        engine.log.write(engine.thermo.footer()) if engine.thermo.footer() else None
        if system.step < last and not engine.stopping.number and not system.halted:
            engine.log.warning("Wall time limit reached")
        finish(engine, first, seconds, cpu, post)
    in_script = engine.script is not None and engine.script.frames
    engine.log.flush_in_time() if in_script else engine.log.flush()
    if system.step < last and not system.halted or engine.outputs.written:
        engine.stopping.leave(system.step, engine.outputs.written)


def finish(engine: Engine, first: int, seconds: float, cpu: float, post: bool, report: str = "") -> None:
    """The summary of the steps since `first`, with the report of a minimisation."""
    system, loop, lists = engine.system, engine.loop, engine.lists
    assert loop is not None and lists is not None
    mine = summary.RankSummary(system.atoms.n, system.atoms.nghost, lists.pairs(), cpu, dict(loop.timers.seconds),
                               dict(loop.timers.cpu))
    measured = summary.RunSummary.of(
        engine.world.all_of(mine), seconds=seconds, steps=system.step - first, dt=system.dt, threads=engine.space.threads,
        builds=lists.decision.builds, dangerous=lists.decision.dangerous, check=lists.settings.check, timer=engine.timer,
        report=report)
    engine.log.event("run", **measured.fields())
    engine.log.write(summary.text(measured, system.units) if post else summary.loop_time(measured))

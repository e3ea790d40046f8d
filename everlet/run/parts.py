"""What the set-up of a run chooses besides its plan: numbers of long-range solvers, and whether steps are replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everlet.run.graphs import Replay
from everlet.run.repeats import Repeats

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine


def choose_replay(engine: Engine) -> None:
    """Replay steps as graphs, or repeat them from lists of launches, where that is possible; on a GPU, say so if it is not."""
    loop = engine.loop
    assert loop is not None
    reason, wanted = Replay.why_not(loop), engine.options.get("graphs", True)
    if wanted and not reason:
        loop.replay = Replay(loop)
    elif wanted and not Repeats.why_not(loop):
        loop.repeats = Repeats(loop)
    elif engine.space.many_threads:
        engine.log.write(f"Steps are launched one by one: {reason or 'package everlet graphs off'}")
        for line in loop.on_host():
            engine.log.write(line)


def init_solver(engine: Engine) -> None:
    """The solver chooses its splitting parameter, which pair styles need."""
    system = engine.system
    solver = system.kspace
    if solver is None:
        return
    engine.log.write("\n".join(solver.init(system.mid_run.solver if system.mid_run is not None else {})))
    if engine.neighbor.exclude.rows:
        engine.log.warning("neigh_modify exclude leaves pairs out of the near part of Coulomb energies, not out of the "
                           "long-range one: use special_bonds, or charges of 0")
    for text in solver.warnings:
        engine.log.warning(text)
    solver.warnings.clear()

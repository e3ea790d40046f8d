"""What happens before the first step: a complete system, and its lists, forces and kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everlet.run.checks import check_numbers, link_warnings, list_warnings, motion_warnings
from everlet.run.going_on import go_on, still_goes_on
from everlet.run.headings import memory_line, neighbor_lines, setting_up, what_there_is
from everlet.run.parts import choose_replay, init_solver
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.special_lists import renew_special
from everlet.state.topology import BOND, has

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine


def set_up(engine: Engine, minimiser: str = "") -> None:
    """Check that the system is complete, compile what is missing, make lists and forces: of a run, or of a minimiser."""
    system = engine.system
    system.need_box()
    system.check_masses()
    if system.pair is None:
        engine.log.warning("no pair style is set: there are no forces between atoms")
    engine.thermo.expected, system.added = system.natoms, 0
    go_on(engine, minimiser)
    for operation in (*system.computes.values(), *system.fixes.values()):
        operation.forget()
    for fix in system.fixes.values():
        fix.init()
    if system.ordered and not system.continues:
        system.next_sort = system.step
    engine.tell()
    for text in motion_warnings(system, not minimiser and engine.outputs.last > system.step):
        engine.log.warning(text)
    if has(system.atoms, BOND) and system.topology.stale:
        engine.division.gather()
        renew_special(system)
    for text in link_warnings(system):
        engine.log.warning(text)
    if system.levels is not None:
        engine.division.gather()
        system.levels.fields(system)
    uneven = engine.division.uneven
    engine.division.begin(system.mid_run.cuts if system.mid_run is not None else None)
    if uneven:
        kept = engine.division.uneven == uneven
        engine.log.write(f"Atoms are divided by {uneven}" if kept else "The box has changed: bricks of equal size again")
    if system.levels is not None and not minimiser:
        engine.log.write(system.levels.text())
    init_solver(engine)
    before, engine.planner.minimiser = engine.loop, minimiser
    kept = engine.planner.keeps()
    if not kept:
        engine.comm, engine.ids = engine.division.comm(engine.pair_side), RowsOfIds(system)
    engine.loop = engine.planner.loop(kept)
    if not still_goes_on(engine):
        return set_up(engine, minimiser)
    system.surroundings = {}
    engine.lists = engine.loop.neighbor
    engine.division.measures = {"neigh": engine.lists.pairs, "time": engine.loop.timers.work}
    if system.pair is not None and system.pair.mixing_line:
        engine.log.write(system.pair.mixing_line)
    if engine.loop is not before:
        for text in list_warnings(system, engine.neighbor, engine.lists):
            engine.log.warning(text)
        if not minimiser:
            choose_replay(engine)
        engine.planner.compile(engine.loop)
        if lines := neighbor_lines(engine):
            engine.log.write(lines)
    engine.log.write(setting_up(engine, minimiser))
    engine.log.fact("setup", **what_there_is(engine))
    engine.loop.setup(reuse=engine.loop is before and engine.outputs.last == system.step)
    engine.tell()
    if engine.loop.replay is not None and (reason := engine.loop.replay.compile()):
        engine.loop.replay = None
        engine.log.write(f"Steps are launched one by one: {reason}")
    engine.tell()
    check_numbers(engine.system)
    engine.put_tail()
    engine.weigh()
    engine.log.write(memory_line([count / 1024**2 for count in engine.world.all_of(engine.weight)]))

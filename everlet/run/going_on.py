"""Whether a run goes on from a restart file that was written in the middle of another (state/mid_run.py), or begins anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine


def go_on(engine: Engine, minimiser: str) -> None:
    """At the beginning of a set-up: atoms must be as they were when the file was read."""
    system, kept = engine.system, engine.system.mid_run
    if kept is not None and (minimiser or kept.step != system.step):
        system.mid_run = None
    elif kept is not None and system.levels is not None:
        engine.log.write("The restart file was written inside of a run, and has no forces of levels (run_style respa): this "
                         "run begins anew")
        system.mid_run = None
    elif kept is not None:
        engine.division.gather()
        _check(engine, kept.moved(system))
    system.continues = system.mid_run is not None


def still_goes_on(engine: Engine) -> bool:
    """When styles are ready: whether these are as they were too. If not, the set-up must be done again."""
    kept = engine.system.mid_run
    return kept is None or _check(engine, kept.differs(engine.system))


def _check(engine: Engine, changed: str) -> bool:
    if changed:
        engine.log.write(f"The restart file was written inside of a run, but {changed} has changed: this run begins anew")
        engine.system.mid_run = None
    return not changed

"""Forces, computes and outputs for frames of dump files instead of steps of a run (the command rerun)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from everlet.errors import InputError
from everlet.io.dump_files import Frame
from everlet.io.read_dump import Reading
from everlet.run.running import begin_steps, finish


def rerun(engine: Any, frames: Iterator[Frame], reading: Reading, post: bool = True, start: int | None = None,
          stop: int | None = None) -> int:
    """Set up for each frame as for a run, call end_of_step of fixes, and write what is due. How many frames there were."""
    system = engine.system
    begin, cpu = time.perf_counter(), time.process_time()
    frame = next(frames, None)
    if frame is None:
        raise InputError("there is no frame to rerun in these files", "check first, last and every against the steps in them")
    with system.fresh.making():
        count = _all(engine, frame, frames, reading, start, stop)
    engine.log.write(engine.thermo.footer()) if engine.thermo.footer() else None
    engine.space.synchronize()
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    finish(engine, system.step - count, seconds, cpu, post)
    engine.loop = None  # the next run sets up anew
    return count


def _all(engine: Any, frame: Frame | None, frames: Iterator[Frame], reading: Reading, start: int | None, stop: int | None
         ) -> int:
    """One frame after the other."""
    system, count = engine.system, 0
    while frame is not None:
        following = next(frames, None)
        engine.division.gather()
        reading.apply(system, frame)
        if not count:
            _begin(engine, start, stop)
        elif system.world.size > 1:
            with engine.log.silent():
                engine.setup()
        else:
            _again(engine)
        if stop is not None and system.step > stop:
            raise InputError(f"step {system.step} of '{frame.path}' is after rerun stop {stop}", "use last, or a later stop")
        loop = engine.loop
        loop.call("end_of_step")
        if not count:
            engine.log.write(engine.thermo.header()) if engine.thermo.header() else None
        engine.outputs.write(restart=True)
        engine.tell()
        if not count or following is None or engine.thermo.every and system.step % engine.thermo.every == 0:
            engine.measure()
            engine.thermo.output(engine.log)
        count, frame = count + 1, following
    return count


def _begin(engine: Any, start: int | None, stop: int | None) -> None:
    """The first frame: a set-up with all that it says and compiles."""
    system = engine.system
    first = system.step if start is None else start
    system.run_start, system.run_stop = first, system.step if stop is None else stop
    begin_steps(engine, system.step, system.step)
    engine.thermo.begin(first, -1, first)
    engine.setup()
    engine.loop.timers.clear()


def _again(engine: Any) -> None:
    """Another frame on one rank: lists, forces and what computes and fixes do at a set-up."""
    system = engine.system
    engine.outputs.begin(system.step)
    engine.thermo.expected = system.natoms
    for operation in (*system.computes.values(), *system.fixes.values()):
        operation.forget()
    for fix in system.fixes.values():
        fix.init()
    system.put_box()
    engine.loop.setup()

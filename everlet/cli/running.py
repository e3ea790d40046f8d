"""How the command line runs a script."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everlet.cli.request import Request
from everlet.errors import EverletError, InputError, RunError
from everlet.inputs import SCRIPT

if TYPE_CHECKING:
    from everlet.api.recorder import Recorder

FOLDER = "flight_recorder"  # for what is written of a run that broke


def run(request: Request) -> int:
    """Run a script; returns the exit status. Errors go to standard error and into the log."""
    if request.script and (not os.path.exists(request.script) or os.path.isdir(request.script)):
        raise InputError(f"there is no script '{request.script}'",
                         "check the path; a script from standard input: everlet -in none < FILE")
    if request.partition:
        from everlet.cli.partitions import run_partitions

        return run_partitions(request, _simulate)
    return _simulate(request)


def _simulate(request: Request) -> int:
    """Run a script in the world that this is."""
    from everlet.api.simulation import Simulation
    from everlet.run.stopping import SIGNALS

    with SIGNALS.listening(gently=bool(request.on_signal)):
        simulation = Simulation(device=request.device, threads=request.threads, precision=request.precision, log=request.log,
                                screen=request.screen, tune=request.tune, allow=request.allow, trust=request.trust).engine
        simulation.log.listener = simulation.script.record = None  # warnings are lines of its log; nobody asks what was done
        recorder = _recorder(simulation) if request.recorder else None
        done = False
        try:
            _run(simulation, request)
            done = True
        except EverletError as error:
            if recorder is not None and recorder.running and isinstance(error, RunError) and not simulation.system.halted:
                _find_out(recorder, request, error)
            _note(simulation, f"ERROR: {error}", str(error))
            raise
        except KeyboardInterrupt as stop:
            _note(simulation, str(stop) or f"interrupted at step {simulation.system.step}", "interrupted")
            raise
        finally:
            simulation.close(done)
    return int(simulation.script.status)


def _recorder(simulation: Any) -> Recorder | None:
    """Of a simulation on one rank; several would have to agree on what went wrong where."""
    from everlet.api.recorder import Recorder

    return Recorder(simulation) if simulation.world.size == 1 and simulation.universe.size == 1 else None


def _find_out(recorder: Recorder, request: Request, error: EverletError) -> None:
    """Add to an error why the run broke."""
    from everlet.api.autopsy import Autopsy
    from everlet.session import Session

    simulation = recorder.session
    with contextlib.suppress(EverletError):
        simulation.log.flush()

    def again() -> Session:
        session = Session(request.device, request.threads, request.precision, tune=False, allow=request.allow,
                          trust=request.trust)
        for path in request.plugins:
            session.load_plugin(path)
        return session

    try:
        last = simulation.system.step
        found = Autopsy(*recorder.before(last), last, again, Path(FOLDER)).report()
    except Exception as failed:  # of plugins, too: what is said first is why the run broke
        found = [f"flight recorder: the steps before could not be made again ({failed})"]
    error.remedy = "\n     ".join([error.remedy, *found])


def _run(simulation: Any, request: Request) -> None:
    from everlet.script.parser import decoded
    from everlet.tools.stamp import line

    _prepare(simulation, request)
    if request.script:
        stamp = line(request.script, simulation.space.target, request.precision)
        if stamp:
            simulation.log.file_only(stamp)
        simulation.file(request.script)
    else:
        given = simulation.world.from_first(sys.stdin.buffer.read(SCRIPT + 1) if simulation.world.first else b"")
        if len(given) > SCRIPT:
            raise InputError(f"the script on standard input has more than {SCRIPT >> 20} MiB", "give a plain text file")
        simulation.script.text(decoded(given, "standard input"), "standard input", own=False)


def _note(simulation: Any, line: str, text: str) -> None:
    """A last line for the log file, unless writing it is what failed."""
    with contextlib.suppress(EverletError):
        simulation.log.file_only(line)
        simulation.log.event("error", text=text, step=simulation.system.step)


def _prepare(simulation: Any, request: Request) -> None:
    if request.on_signal:
        simulation.stopping.on_signal(request.on_signal)
    for name, values in request.variables:
        simulation.variables.set_index(name, values)
    for path in request.plugins:
        simulation.load_plugin(path)
    if request.echo:
        simulation.script.execute("echo", [request.echo])
    for line in request.commands:
        simulation.commands(line, "command line")

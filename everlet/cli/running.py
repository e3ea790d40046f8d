"""How the command line runs a script."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

from everlet.cli.request import Request
from everlet.errors import EverletError, InputError
from everlet.inputs import SCRIPT


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
        done = False
        try:
            _run(simulation, request)
            done = True
        except EverletError as error:
            _note(simulation, f"ERROR: {error}", str(error))
            raise
        except KeyboardInterrupt as stop:
            _note(simulation, str(stop) or f"interrupted at step {simulation.system.step}", "interrupted")
            raise
        finally:
            simulation.close(done)
    return int(simulation.script.status)


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

"""The `everlet` command.

    everlet run FILE [options]     run a script; so does everlet -in FILE [options], and without -in it is standard input
      --device cpu|cuda|auto|serial|reference[:bounds]   --threads N   --precision double|mixed|single   --plugin FILE
      --var NAME VALUE ...   --log FILE|none   --screen none|FILE   --no-tune   --deterministic   --allow-shell   --allow-python
      --trust FILE ...   --on-signal restart[=FILE]|stop   --partition 4x1 [2 ...] (several replicas: docs/replicas.md)
      and the flags of lmp, mixed as you like: -log F, -var NAME VALUE ..., -screen none|F, -sf S, -k on g 1 t N,
      -pk STYLE ..., -echo E, -p 4x1, -plog F, -pscreen F. What contradicts each other is refused
    everlet check SCRIPT           which lines of a script are refused, and why, before it runs
      --var NAME=VALUE,… --plugin FILE.py,… --partition 4x1,…
    everlet check FILE.py          test styles of your own: potentials, bonds, fixes, computes
    everlet check FILE.py:CLASS [key value …]   test a learned potential; so does everlet check STYLE … with words of pair_style
      --limit SECONDS              how long one line of the report may take (300)
      --spacing D --species A,B    of models: how far neighbours are apart (0.45 of the cutoff); which species (the first three)
    everlet info                   versions, devices, what is missing
    everlet info styles [KIND]     names of all styles and commands; KIND: pair, fix, compute, dump, bond, command …
    everlet info plugins           styles that installed packages bring, and which of these have failed
    everlet bench NAME [options]   speed of lj, eam, sw, snap, chain, rhodo, water … (also beside lmp), nacl
    everlet lu [options]           LU of the NAS benchmarks on threads, GPUs and ranks (everlet lu --help)
    everlet micro [options]        cycles of single operations on this machine (everlet micro --help)
    everlet study NAME [options]   tables and plots: schemes, precision, saturation, ... (everlet study --help)
    everlet model NAME [options]   what equations say: wavefront, md, ewald (everlet model --help)
    everlet simulate PROGRAM       lu, md, pppm, qeq or a trace on a machine, message by message (everlet simulate --help)
    everlet measure WHAT           network, pcie, memory, md: this machine as a file for model, simulate and plan
    everlet plan SCRIPT [options]  before a run: memory, time, energy, best number of nodes (everlet plan --help)
    everlet report FOLDER          one page of all studies and benchmarks of a folder (everlet report --help)
    everlet cluster SCRIPT --nodes N [options]   a job script for Slurm (everlet cluster --help)
    everlet potential MODEL ELEMENT --output FILE   an embedded-atom file from a formula (everlet potential --help)

SIGINT (Ctrl-C), SIGTERM and SIGUSR1 end a run. With --on-signal the present step is finished on all ranks, with its output,
and with restart also a restart file (stopped.restart; a * in FILE is the step) from which a run goes on exactly. A second
signal ends everything at once.
Exit status: 0 success, 1 error, 128 and the number of the signal that ended it, or what the script's quit command says.
Environment: EVERLET_CACHE is where kernels are kept; EVERLET_TRACEBACK=1 shows the traceback of unforeseen errors;
EVERLET_STREAMS=x86-64 draws velocities of loop geom, and what else follows positions, as on x86-64 on every machine.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from everlet import __version__, settings
from everlet.errors import EverletError, InputError, arguments, number, unknown
from everlet.inputs import SCRIPT
from everlet.request import Request, lmp_request, run_request

HELP = ("-h", "-help", "--help")


def main(args: list[str] | None = None) -> int:
    """Entry point of the console script; returns the exit status."""
    words = list(sys.argv[1:] if args is None else args)
    if args is None:
        settings.leave_folder()
    try:
        return _main(words)
    except EverletError as error:
        if settings.given("EVERLET_TRACEBACK") and error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        return _failed(f"ERROR: {error}")
    except KeyboardInterrupt as stop:  # also a signal
        return _failed(str(stop) or "interrupted", getattr(stop, "status", 130))
    except BrokenPipeError:  # whoever read standard output has gone: everlet ... | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _failed("")
    except OSError as error:
        place = error.filename or "standard output"
        return _failed(f"ERROR: {error.strerror}: {place}\n  -> is the disk full?")
    except Exception as error:
        if settings.given("EVERLET_TRACEBACK"):
            traceback.print_exc()
            return _failed("")
        return _failed(_fault(error))


def _failed(text: str, status: int = 1) -> int:
    """Report an error and give the exit status. Of several ranks that fail one reports; if only this one does, it ends
    the others."""
    from everlet.world import ENDING, PATIENCE, joined

    world = joined()
    world.deadline(ENDING)
    if world.reports or world.alone_with(PATIENCE):
        if text:
            print(text, file=sys.stderr)
        world.leave(status)
    return status


def _fault(error: Exception) -> str:
    """What is said about an error that nobody foresaw."""
    from everlet.run.plugins import blamed

    plugin = blamed(error)
    if plugin is not None:
        return f"ERROR: {plugin}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = "".join(f"{note}\n  " for note in getattr(error, "__notes__", [])[:1])
    return (f"ERROR: {place}{type(error).__name__}: {error} ({os.path.basename(last.filename)}, line {last.lineno})\n"
            "  -> this is a fault in Everlet or in a plugin: EVERLET_TRACEBACK=1 shows more; please report it")


def _main(words: list[str]) -> int:
    first = words[0] if words else ""
    _join(first)
    runs = first in ("", "run") or first.startswith("-")  # other commands have help of their own
    if first == "help" or (runs and set(words) & set(HELP)) or (not words and sys.stdin.isatty()):
        print(__doc__.strip())
        return 0
    if first == "--version":
        print(f"everlet {__version__}")
        return 0
    if first in ("check", "info") and set(words) & set(HELP):
        print(_usage(first))
        return 0
    if first and not first.startswith("-"):
        if first not in COMMANDS:
            raise unknown("everlet command", first, COMMANDS,
                          "to run a script: everlet run " + first if os.path.isfile(first) else "")
        return COMMANDS[first](words[1:])
    return run(lmp_request(words))


def _usage(command: str) -> str:
    """What the help above says about a command."""
    lines = __doc__.splitlines()
    found, own = ["usage:"], False
    for line in lines:
        own = line.startswith(f"    everlet {command} ") or (own and line.startswith("      "))
        found += [line] if own else []
    return "\n".join(found)


def _check(words: list[str]) -> int:
    from everlet.tools.check_apart import LIMIT, check_apart
    from everlet.tools.model_bench import Look

    usage = "everlet check SCRIPT|FILE.py|FILE.py:CLASS … [options]"
    given = {"--limit": str(LIMIT), "--spacing": "0", "--species": ""}
    if words and os.path.isfile(words[0]) and not words[0].endswith(".py"):
        from everlet.lab.supported import check_script

        return 0 if check_script(words[0], words[1:]) else 1
    end = next((k for k, word in enumerate(words) if word.startswith("--")), len(words))
    arguments(words[:end], 1, None, usage)
    for name, value in itertools.zip_longest(words[end::2], words[end + 1 :: 2]):
        if name not in given:
            raise unknown("option", name, given)
        arguments([] if value is None else [value], 1, 1, usage)
        given[name] = value
    look = Look(number(given["--spacing"], "a distance"), [name for name in given["--species"].split(",") if name])
    return 0 if check_apart(words[:end], number(given["--limit"], "a number of seconds"), look=look) else 1


def _info(words: list[str]) -> int:
    from everlet.perf.about import report

    if words[:1] == ["styles"]:
        from everlet.script.commands.info import styles_of
        from everlet.script.queries import AVAILABLE

        arguments(words, 1, 2, "everlet info styles [KIND]")
        kind = words[1].removesuffix("_style") if words[1:] else "all"
        if kind not in ("all", *AVAILABLE):
            raise unknown("kind of styles", kind, AVAILABLE)
        print(styles_of(kind))
        return 0
    if words[:1] == ["plugins"]:
        arguments(words, 1, 1, "everlet info plugins")
        from everlet.run.installed import INSTALLED

        print(INSTALLED.report())
        return 0
    arguments(words, 0, 0, "everlet info, everlet info styles [KIND], or everlet info plugins")
    print(report())
    return 0


def _main_of(module: str) -> Callable[[list[str]], int]:
    """The command that a module of its own has: its `main`."""
    return lambda words: importlib.import_module(module).main(words)


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "run": lambda words: run(run_request(words)),
    "check": _check,
    "info": _info,
    "bench": _main_of("everlet.perf.bench"),
    "lu": _main_of("everlet.lab.lu.command"),
    "micro": _main_of("everlet.perf.micro"),
    "study": _main_of("everlet.lab.study"),
    "model": _main_of("everlet.lab.model"),
    "simulate": _main_of("everlet.lab.simulate"),
    "measure": _main_of("everlet.lab.measure"),
    "plan": _main_of("everlet.lab.plan"),
    "report": _main_of("everlet.lab.report"),
    "cluster": _main_of("everlet.tools.cluster"),
    "potential": _main_of("everlet.tools.potential"),
}


ON_RANKS = ("run", "info", "lu")  # commands for several ranks


def _join(command: str) -> None:
    """Meet the other ranks, if mpiexec has started several."""
    from everlet.world import join, launched

    if launched() > 1:
        # Ctrl-C now ends this process, and so the launcher ends all: one that left by itself would be waited for
        before = signal.signal(signal.SIGINT, signal.SIG_DFL)
        join()
        signal.signal(signal.SIGINT, before)
        if command in COMMANDS and command not in ON_RANKS:
            raise InputError(f"everlet {command} runs on one rank", "start it without mpiexec")


def run(request: Request) -> int:
    """Run a script; returns the exit status. Errors go to standard error and into the log."""
    if request.script and (not os.path.exists(request.script) or os.path.isdir(request.script)):
        raise InputError(f"there is no script '{request.script}'",
                         "check the path; a script from standard input: everlet -in none < FILE")
    if request.partition:
        from everlet.partitions import run_partitions

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

    _prepare(simulation, request)
    if request.script:
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


if __name__ == "__main__":
    sys.exit(main())

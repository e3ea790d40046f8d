"""The `everlet` command.

    everlet run FILE [--device cpu|cuda|auto|serial|reference] [--threads N] [--precision double|mixed|single]
                     [--plugin FILE]... [--var NAME VALUE ...]... [--log FILE|none] [--screen none|FILE] [--no-tune]
                     [--on-signal restart[=FILE]|stop]
    everlet check FILE.py          test a potential of your own
    everlet info                   versions, devices, what is missing
    everlet bench NAME [options]   speed of lj, eam, sw, snap or snap-ta, also beside lmp (everlet bench --help)
    everlet study NAME [options]   tables and plots: schemes, precision, saturation, ... (everlet study --help)
    everlet cluster SCRIPT --nodes N [options]   a job script for Slurm (everlet cluster --help)
    everlet potential MODEL ELEMENT --output FILE   an embedded-atom file from a formula (everlet potential --help)
    everlet -in FILE [-log F] [-var NAME VALUE ...] [-screen none|F] [-sf S] [-k on g 1 t N] [-pk STYLE ...] [-echo E]
                                   the flags of lmp; without -in the script is read from standard input

SIGINT (Ctrl-C), SIGTERM and SIGUSR1 end a run. With --on-signal the present step is finished on all ranks, with its output,
and with restart also a restart file (stopped.restart; a * in FILE is the step) from which a run goes on exactly. A second
signal ends everything at once.
Exit status: 0 success, 1 error, 128 and the number of the signal that ended it, or what the script's quit command says.
Environment: EVERLET_CACHE is where kernels are kept; EVERLET_TRACEBACK=1 shows the traceback of unforeseen errors.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from dataclasses import dataclass, field
from typing import Any

from everlet import __version__
from everlet.errors import EverletError, InputError, arguments, integer, unknown

DEVICES = ("auto", "cpu", "cuda", "serial", "reference")
PRECISIONS = ("double", "mixed", "single")
# flags of lmp, long and short; values: how many words follow (-1: all up to the next flag)
RUN_OPTIONS = ("--device", "--threads", "--precision", "--plugin", "--var", "--log", "--screen", "--no-tune",
               "--on-signal")
FLAGS = {"in": ("i", 1), "log": ("l", 1), "screen": ("sc", 1), "echo": ("e", 1), "var": ("v", -1), "suffix": ("sf", -1),
         "kokkos": ("k", -1), "package": ("pk", -1), "nocite": ("nc", 0), "cite": ("c", 1), "nonbuf": ("nb", 0),
         "on-signal": ("os", 1)}  # the last one is our own
REFUSED = {"partition": "p", "plog": "pl", "pscreen": "ps", "mdi": "mdi", "mpicolor": "m", "reorder": "r",
           "restart2data": "r2data", "restart2dump": "r2dump", "restart2info": "r2info", "skiprun": "sr"}


@dataclass
class Request:
    """What the command line asks for."""

    script: str = ""  # empty: standard input
    device: str = "auto"
    threads: int = 0
    precision: str = "double"
    log: str = "log.everlet"
    screen: str = "stdout"
    tune: bool = True  # long runs may measure which way to work is fastest
    echo: str = ""
    on_signal: str = ""  # restart, restart=FILE, stop; empty: end without more ado
    plugins: list[str] = field(default_factory=list)
    variables: list[tuple[str, list[str]]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)  # suffix and package, run before the script


def main(args: list[str] | None = None) -> int:
    """Entry point of the console script; returns the exit status."""
    words = list(sys.argv[1:] if args is None else args)
    try:
        return _main(words)
    except EverletError as error:
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
        if os.environ.get("EVERLET_TRACEBACK"):
            traceback.print_exc()
            return _failed("")
        return _failed(_fault(error))


def _failed(text: str, status: int = 1) -> int:
    """Report an error and give the exit status. Of several ranks that fail one reports; if only this one does, it ends
    the others."""
    from everlet.world import ENDING, PATIENCE, joined

    world = joined()
    world.deadline(ENDING)
    if world.first or world.alone_with(PATIENCE):
        if text:
            print(text, file=sys.stderr)
        world.leave(status)
    return status


def _fault(error: Exception) -> str:
    """What is said about an error that nobody foresaw."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = "".join(f"{note}\n  " for note in getattr(error, "__notes__", [])[:1])
    return (f"ERROR: {place}{type(error).__name__}: {error} ({os.path.basename(last.filename)}, line {last.lineno})\n"
            "  -> this is a fault in Everlet or in a plugin: EVERLET_TRACEBACK=1 shows more; please report it")


def _main(words: list[str]) -> int:
    first = words[0] if words else ""
    _join(first)
    if first in ("-h", "-help", "--help", "help") or (not words and sys.stdin.isatty()):
        print(__doc__.strip())
        return 0
    if first == "--version":
        print(f"everlet {__version__}")
        return 0
    if first == "run":
        return run(run_request(words[1:]))
    if first == "check":
        arguments(words[1:], 1, 1, "everlet check FILE.py")
        from everlet.tools.check import check_plugin

        return 0 if check_plugin(words[1]) else 1
    if first == "info":
        arguments(words[1:], 0, 0, "everlet info")
        from everlet.perf.about import report

        print(report())
        return 0
    if first == "bench":
        from everlet.perf.bench import main as bench

        return bench(words[1:])
    if first == "study":
        from everlet.perf.study import main as study

        return study(words[1:])
    if first == "cluster":
        from everlet.tools.cluster import main as cluster

        return cluster(words[1:])
    if first == "potential":
        from everlet.tools.potential import main as potential

        return potential(words[1:])
    if first and not first.startswith("-"):
        raise unknown("everlet command", first, ("run", "check", "info", "bench", "study", "cluster", "potential"),
                      "to run a script: everlet run " + first if os.path.isfile(first) else "")
    return run(lmp_request(words))


def _values(words: list[str]) -> list[str]:
    """Take the words up to the next flag off the list; a negative number is not a flag."""
    taken = []
    while words and not (words[0].startswith("-") and not words[0][1:2].isdigit() and not words[0].startswith("-.")):
        taken.append(words.pop(0))
    return taken


def _one(words: list[str], flag: str) -> str:
    if not words:
        raise InputError(f"{flag} needs a value", "see everlet --help")
    return words.pop(0)


def _variable(request: Request, values: list[str], flag: str) -> None:
    if len(values) < 2:
        raise InputError(f"{flag} needs a name and at least one value", f"for example: {flag} x 8")
    request.variables.append((values[0], values[1:]))


def run_request(words: list[str]) -> Request:
    """The arguments of `everlet run`."""
    request = Request()
    options = RUN_OPTIONS
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            if request.script:
                raise InputError(f"two scripts are given: '{request.script}' and '{word}'",
                                 "run them one after the other")
            request.script = word
            continue
        flag, equals, given = word.partition("=")
        if flag not in options:
            raise unknown("option", flag, options)
        if flag == "--no-tune":
            if equals:
                raise InputError(f"{flag} takes no value, found '{given}'", f"write {flag}")
            request.tune = False
            continue
        if equals:
            words.insert(0, given)
        if flag == "--var":
            _variable(request, _values(words), flag)
        elif flag == "--plugin":
            request.plugins.append(_one(words, flag))
        elif flag == "--threads":
            request.threads = integer(_one(words, flag), "a number of threads")
            if request.threads < 1:
                raise InputError("--threads needs a positive number", "for example: --threads 4")
        else:
            setattr(request, flag[2:].replace("-", "_"), _one(words, flag))
    if not request.script:
        raise InputError("no script is given", "usage: everlet run FILE [options]; see everlet --help")
    if request.device not in DEVICES and not request.device.startswith("cuda:"):
        raise unknown("device", request.device, DEVICES)
    if request.precision not in PRECISIONS:
        raise unknown("precision", request.precision, PRECISIONS)
    return request


def lmp_request(words: list[str]) -> Request:
    """The flags of lmp. A device is chosen by -k (g, t), -sf and -pk; without them it is `auto`."""
    request = Request()
    names = {short: name for name, (short, _) in FLAGS.items()} | {name: name for name in FLAGS}
    refused = {short: name for name, short in REFUSED.items()} | {name: name for name in REFUSED}
    while words:
        word = words.pop(0)
        key = word.lstrip("-")
        if not word.startswith("-"):
            raise InputError(f"unexpected word '{word}'", "to run a script: everlet -in FILE, or everlet run FILE")
        if key in refused:
            raise InputError(f"the lmp flag -{refused[key]} is not available in Everlet yet", "remove it")
        if word in RUN_OPTIONS and key not in names:
            raise InputError(f"{word} is an option of everlet run, not a flag of lmp", f"write: everlet run FILE {word} …")
        if key not in names:
            raise unknown("flag", word, [f"-{name}" for name in (*FLAGS, *(short for short, _ in FLAGS.values()))])
        name, count = names[key], FLAGS[names[key]][1]
        values = _values(words) if count < 0 else [_one(words, word) for _ in range(count)]
        _lmp_flag(request, name, word, values)
    return request


def _lmp_flag(request: Request, name: str, word: str, values: list[str]) -> None:
    if name == "in":
        request.script = "" if values[0] == "none" else values[0]
    elif name in ("log", "screen", "echo", "on-signal"):
        setattr(request, name.replace("-", "_"), values[0])
    elif name == "var":
        _variable(request, values, word)
    elif name == "kokkos":
        _kokkos(request, values)
    elif name == "suffix":
        if not values:
            raise InputError(f"{word} needs a value", "for example: -sf kk")
        request.commands.append("suffix " + " ".join(values))
        request.device = {"gpu": "cuda", "omp": "cpu", "intel": "cpu", "opt": "cpu"}.get(values[0], request.device)
    elif name == "package":
        if not values:
            raise InputError(f"{word} needs a value", "for example: -pk kokkos neigh half")
        request.commands.append("package " + " ".join(values))
        if values[0] == "gpu":
            request.device = "cuda"
        elif values[0] == "omp" and len(values) > 1:
            request.device, request.threads = "cpu", integer(values[1], "a number of threads")
    # nocite, cite and nonbuf: there is no citation reminder, and output is flushed often


def _kokkos(request: Request, values: list[str]) -> None:
    """-k on|off [d|g|gpus N] [t|threads N]: GPUs and threads."""
    if not values or values[0] not in ("on", "off"):
        raise InputError("-k needs on or off", "for example: -k on g 1")
    if values[0] == "off":
        return
    rest = values[1:]
    if len(rest) % 2:
        raise InputError(f"-k option '{rest[-1]}' has no value", "for example: -k on g 1")
    gpus = 0
    for key, given in zip(rest[::2], rest[1::2], strict=True):
        if key in ("g", "gpus"):
            gpus = integer(given, "a number of GPUs")
            if gpus > 1:
                raise InputError(f"-k on g {gpus}: one process uses one GPU", "use -k on g 1")
        elif key in ("t", "threads"):
            request.threads = integer(given, "a number of threads")
        elif key in ("d", "device"):
            request.device = f"cuda:{integer(given, 'the number of a GPU')}"
        else:
            raise unknown("option of -k", key, ("g", "gpus", "t", "threads", "d", "device"))
    if not request.device.startswith("cuda:"):
        request.device = "cuda" if gpus else "cpu"


def _join(command: str) -> None:
    """Meet the other ranks, if mpiexec has started several."""
    from everlet.world import join, launched

    if launched() > 1:
        # Ctrl-C now ends this process, and so the launcher ends all: one that left by itself would be waited for
        before = signal.signal(signal.SIGINT, signal.SIG_DFL)
        join()
        signal.signal(signal.SIGINT, before)
        if command in ("check", "bench", "study", "cluster", "potential"):
            raise InputError(f"everlet {command} runs on one rank", "start it without mpiexec")


def run(request: Request) -> int:
    """Run a script; returns the exit status. Errors go to standard error and into the log."""
    from everlet.run.stopping import SIGNALS
    from everlet.simulation import Simulation

    if request.script and (not os.path.exists(request.script) or os.path.isdir(request.script)):
        raise InputError(f"there is no script '{request.script}'",
                         "check the path; a script from standard input: everlet -in none < FILE")
    with SIGNALS.listening(gently=bool(request.on_signal)):
        simulation = Simulation(device=request.device, threads=request.threads, precision=request.precision,
                                log=request.log, screen=request.screen, tune=request.tune)
        try:
            _run(simulation, request)
        except EverletError as error:
            _note(simulation, f"ERROR: {error}", str(error))
            raise
        except KeyboardInterrupt as stop:
            _note(simulation, str(stop) or f"interrupted at step {simulation.system.step}", "interrupted")
            raise
        finally:
            simulation.close()
    return int(simulation.script.status)


def _run(simulation: Any, request: Request) -> None:
    from everlet.script.parser import decoded

    _prepare(simulation, request)
    if request.script:
        simulation.file(request.script)
    else:
        given = simulation.world.from_first(sys.stdin.buffer.read() if simulation.world.first else b"")
        simulation.commands(decoded(given, "standard input"), "standard input")


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

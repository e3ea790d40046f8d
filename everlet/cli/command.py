"""Where the `everlet` command begins: the help, errors that end it, and ranks that meet."""

from __future__ import annotations

import gc
import os
import signal
import sys
import textwrap
import traceback

from everlet import settings
from everlet.cli.request import flags_of_runs, lmp_request
from everlet.cli.running import run
from everlet.cli.subcommands import SUBCOMMANDS
from everlet.errors import EverletError, InputError, unknown
from everlet.io import stages
from everlet.io.colours import coloured
from everlet.version import __version__

QUIET = "--quiet"
HELP = ("-h", "-help", "--help")
FOOT = """\
SIGINT (Ctrl-C), SIGTERM and SIGUSR1 end a run. With --on-signal the present step is finished on all ranks, with its output,
and with restart also a restart file (stopped.restart; a * in FILE is the step) from which a run goes on exactly. A second
signal ends everything at once.
Exit status: 0 success, 1 error, 128 and the number of the signal that ended it, or what the script's quit command says.
--quiet, of every command: no progress on the screen; results, warnings and errors stay. Colours are for terminals alone, and
not where NO_COLOR is set.
Environment: EVERLET_CACHE is where kernels are kept; EVERLET_TRACEBACK=1 shows the traceback of unforeseen errors;
EVERLET_STREAMS=x86-64 draws velocities of loop geom, and what else follows positions, as on x86-64 on every machine.
"""


def main(args: list[str] | None = None) -> int:
    """Entry point of the console script; returns the exit status."""
    words = list(sys.argv[1:] if args is None else args)
    if QUIET in words:
        words.remove(QUIET)
        stages.hush()
    if args is None:
        settings.leave_folder()
        gc.freeze()  # what was imported stays: collections need not go through it, nor the end of the program
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
    from everlet.comm.world import ENDING, PATIENCE, joined

    world = joined()
    world.deadline(ENDING)
    if world.reports or world.alone_with(PATIENCE):
        if text:
            print(coloured(text, sys.stderr), file=sys.stderr)
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
    known = SUBCOMMANDS.get(first)
    helps = bool(set(words) & set(HELP))
    if first in ("help", *HELP) or (not words and sys.stdin.isatty()):
        print(_help())
        return 0
    if helps and (first == "run" or first.startswith("-")):
        print(f"{flags_of_runs().format_help()}\n{FOOT.strip()}")
        return 0
    if first == "--version":
        print(f"everlet {__version__}")
        return 0
    if not first or first.startswith("-"):
        return run(lmp_request(words))
    if known is None:
        raise unknown("everlet command", first, SUBCOMMANDS,
                      "to run a script: everlet run " + first if os.path.isfile(first) else "")
    if helps and not known.own_help:
        print(f"usage:\n{_indented(known.usage)}")
        return 0
    return known.main(words[1:])


def _help() -> str:
    usages = "\n".join(_indented(each.usage) for each in SUBCOMMANDS.values())
    return f"The `everlet` command.\n\n{usages}\n\n{FOOT.strip()}"


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ")


def _join(command: str) -> None:
    """Meet the other ranks, if mpiexec has started several."""
    from everlet.comm.world import join, launched

    if launched() > 1:
        # Ctrl-C now ends this process, and so the launcher ends all: one that left by itself would be waited for
        before = signal.signal(signal.SIGINT, signal.SIG_DFL)
        join()
        signal.signal(signal.SIGINT, before)
        if command in SUBCOMMANDS and not SUBCOMMANDS[command].on_ranks:
            raise InputError(f"everlet {command} runs on one rank", "start it without mpiexec")

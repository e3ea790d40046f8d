"""The commands of `everlet`: what each is called with, what it does, and whether several ranks may start it together.

Commands are imported when they are asked for: a run does not wait for laboratories.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass

from everlet.cli.request import run_request
from everlet.cli.running import run
from everlet.errors import arguments, number, unknown
from everlet.portable.backends import kinds
from everlet.portable.backends.c.dialects import DIALECTS
from everlet.portable.devices import names


@dataclass(frozen=True)
class Subcommand:
    """usage: lines of the help, the first of which begins with `everlet NAME`."""

    usage: str
    main: Callable[[list[str]], int]  # of the words after the name; its exit status
    on_ranks: bool = False  # started by mpiexec, too
    own_help: bool = True  # it answers --help itself


def _check(words: list[str]) -> int:
    from everlet.perf import options
    from everlet.tools.check_apart import LIMIT, check_apart
    from everlet.tools.model_bench import Look

    if words and os.path.isfile(words[0]) and not words[0].endswith(".py"):
        from everlet.lab.supported import check_script

        return 0 if check_script(words[0], words[1:]) else 1
    usage = "everlet check SCRIPT|FILE.py|FILE.py:CLASS … [options]"
    end = next((k for k, word in enumerate(words) if word.startswith("--")), len(words))
    arguments(words[:end], 1, None, usage)
    given = options.parse(words[end:], {"limit": (lambda text, flag: number(text, "a number of seconds"), LIMIT),
                                        "spacing": (lambda text, flag: number(text, "a distance"), 0.0),
                                        "species": (lambda text, flag: [name for name in text.split(",") if name], [])}, usage)
    return 0 if check_apart(words[:end], given["limit"], look=Look(given["spacing"], given["species"])) else 1


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
    if words[:1] == ["support"]:
        from everlet.script.support import support

        arguments(words, 1, 3, "everlet info support [KIND] [NAME]")
        print(support(words[1:]))
        return 0
    if words[:1] == ["plugins"]:
        arguments(words, 1, 1, "everlet info plugins")
        from everlet.run.installed import INSTALLED

        print(INSTALLED.report())
        return 0
    arguments(words, 0, 0, "everlet info, or everlet info styles [KIND]|support [KIND] [NAME]|plugins")
    print(report())
    return 0


def _main_of(module: str) -> Callable[[list[str]], int]:
    """The command that a module of its own has: its `main`."""
    return lambda words: importlib.import_module(module).main(words)


SUBCOMMANDS = {
    "run": Subcommand(f"""\
everlet run FILE [options]     run a script; so does everlet -in FILE [options], and without -in it is standard input
  --device {'|'.join(names())}, --threads N, --var NAME VALUE … and
  the flags of lmp (everlet run --help)""",
        lambda words: run(run_request(words)), on_ranks=True),
    "check": Subcommand("""\
everlet check SCRIPT           which lines of a script are refused, and why, before it runs
  --var NAME=VALUE,… --plugin FILE.py,… --partition 4x1,…
everlet check FILE.py          test styles of your own: potentials, bonds, fixes, computes
everlet check FILE.py:CLASS [key value …]   test a learned potential; so does everlet check STYLE … with words of pair_style
  --limit SECONDS              how long one line of the report may take (300)
  --spacing D --species A,B    of models: how far neighbours are apart (0.45 of the cutoff); which species (the first three)""",
        _check, own_help=False),
    "verify": Subcommand("""\
everlet verify SCRIPT [options]   its system in several ways: device, ranks, LAMMPS, slopes (everlet verify --help)""",
        _main_of("everlet.lab.verify")),
    "info": Subcommand("""\
everlet info                   versions, devices, what is missing
everlet info styles [KIND]     names of all styles and commands; KIND: pair, fix, compute, dump, bond, command …
everlet info support [KIND] [NAME]   what of LAMMPS is here, in which file, and on which page of LAMMPS's manual
everlet info plugins           styles that installed packages bring, and which of these have failed""",
        _info, on_ranks=True, own_help=False),
    "bench": Subcommand("""\
everlet bench NAME [options]   speed of lj, eam, sw, snap, chain, rhodo, water … (also beside lmp), nacl""",
        _main_of("everlet.perf.bench")),
    "lu": Subcommand(f"""\
everlet lu [options]           LU of the NAS benchmarks on threads, {kinds('many_threads')} and ranks (everlet lu --help)""",
        _main_of("everlet.lu.command"), on_ranks=True),
    "micro": Subcommand("""\
everlet micro [options]        cycles of single operations on this machine (everlet micro --help)""",
        _main_of("everlet.perf.micro")),
    "study": Subcommand("""\
everlet study NAME [options]   tables and plots: schemes, precision, saturation, ... (everlet study --help)""",
        _main_of("everlet.lab.study")),
    "model": Subcommand("""\
everlet model NAME [options]   what equations say: wavefront, md, ewald (everlet model --help)""",
        _main_of("everlet.lab.model")),
    "simulate": Subcommand("""\
everlet simulate PROGRAM       lu, md, pppm, qeq or a trace on a machine, message by message (everlet simulate --help)""",
        _main_of("everlet.lab.simulate")),
    "measure": Subcommand("""\
everlet measure WHAT           network, pcie, memory, md: this machine as a file for model, simulate and plan""",
        _main_of("everlet.lab.measure")),
    "plan": Subcommand("""\
everlet plan SCRIPT [options]  before a run: memory, time, energy, best number of nodes (everlet plan --help)""",
        _main_of("everlet.lab.plan")),
    "report": Subcommand("""\
everlet report LOG [DUMP]      a page of a run: plots, means, times, and atoms in three dimensions, in one file for any browser
everlet report FOLDER          one page of all studies and benchmarks of a folder (everlet report --help)""",
        _main_of("everlet.lab.report")),
    "watch": Subcommand("""\
everlet watch LOG              a run while it goes: progress, time left, plots in the terminal; --serve PORT: in a browser""",
        _main_of("everlet.view.watch")),
    "completion": Subcommand("""\
everlet completion bash|zsh|fish   words that the shell completes: source <(everlet completion bash)""",
        _main_of("everlet.cli.completion"), own_help=False),
    "kernel": Subcommand(f"""\
everlet kernel NAME [SCRIPT]   a kernel as text of C, with files and lines that it is from; of a script's run, or of a melt
  --dialect {'|'.join(DIALECTS)} --precision double|mixed|single --arch gfx90a (or 90: registers)""",
        _main_of("everlet.tools.kernel_text"), own_help=False),
    "cluster": Subcommand("""\
everlet cluster SCRIPT --nodes N [options]   a job script for Slurm (everlet cluster --help)""",
        _main_of("everlet.tools.cluster")),
    "potential": Subcommand("""\
everlet potential MODEL ELEMENT --output FILE   an embedded-atom file from a formula (everlet potential --help)""",
        _main_of("everlet.tools.potential")),
}

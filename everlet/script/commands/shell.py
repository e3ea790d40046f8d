"""shell: folders, files and environment variables; other programs only with --allow-shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import Any

from everlet import settings
from everlet.comm.world import writes
from everlet.errors import InputError, arguments
from everlet.portable.code_places import check_output
from everlet.script.registry import NOTHING, command

NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
FLAGS = {"mkdir": "-p", "mv": "-f", "rm": "-f"}


@command("shell", changes=NOTHING, stored=True, unplanned=True)
def shell(sim: Any, args: list[str]) -> None:
    """shell cd DIR | mkdir [-p] DIR ... | mv [-f] OLD NEW | rm [-f] FILE ... | rmdir DIR ... | putenv NAME=VALUE ...

    What fails is warned of. Other commands are refused, since a script from somebody else should not run programs, unless
    Everlet was started with --allow-shell. putenv changes nothing but what getenv-style variables, searches for potential
    files and such programs see (settings.py); without --allow-shell, names that programs obey are refused.
    """
    arguments(args, 1, None, "shell cd|mkdir|mv|rm|rmdir|putenv arguments ...")
    action, words = args[0], args[1:]
    if action not in (*ACTIONS, "putenv"):
        program(sim, args)
        return
    arguments(words, 1, None, f"shell {action} arguments ...")
    flag = words[0] == FLAGS.get(action)
    words = words[1:] if flag else words
    if not writes() and action in ("mkdir", "mv", "rm", "rmdir"):
        return  # one rank does it; the others wait for it before the next command
    if action == "cd" and sim.system.universe.shares_folder:
        raise InputError("shell cd: partitions that are threads of one process share one folder on this system",
                         "start them with mpiexec, or give paths with a folder in them")
    if action == "putenv":
        putenv(sim, words)
        return
    try:
        ACTIONS[action](words, flag)
    except OSError as error:
        sim.log.warning(f"shell {' '.join(args)} failed: {error.strerror or error}")


def program(sim: Any, args: list[str]) -> None:
    if not sim.options.get("shell"):
        raise InputError(f"shell '{args[0]}' is refused: scripts may not run other programs",
                         "cd, mkdir, mv, rm, rmdir and putenv work; start Everlet with --allow-shell if you trust the script")
    sim.log.flush()  # before what the program may write
    if writes():
        status = subprocess.run(" ".join(args), shell=True, check=False,  # the user has allowed it
                                env=settings.for_scripts()).returncode
        if status:
            sim.log.warning(f"shell {' '.join(args)} ended with status {status}")


def cd(words: list[str], flag: bool) -> None:
    arguments(words, 1, 1, "shell cd DIR")
    os.chdir(words[0])


def mkdir(words: list[str], flag: bool) -> None:
    for name in words:
        check_output(name)
        os.makedirs(name, exist_ok=True)


def mv(words: list[str], flag: bool) -> None:
    arguments(words, 2, 2, "shell mv [-f] OLD NEW")
    old, new = words
    target = os.path.join(new, os.path.basename(os.path.normpath(old))) if os.path.isdir(new) else new
    for path in (old, new, target):
        check_output(path, above=path != new or not os.path.isdir(new))
    shutil.move(old, new)


def rm(words: list[str], flag: bool) -> None:
    for name in words:
        check_output(name)
        if os.path.exists(name) or not flag:
            os.remove(name)


def rmdir(words: list[str], flag: bool) -> None:
    for name in words:
        os.rmdir(name)


def putenv(sim: Any, words: list[str]) -> None:
    for pair in words:
        name, _, text = pair.partition("=")
        if not NAME.fullmatch(name):
            raise InputError(f"'{name}' is no name of an environment variable", "write it so: shell putenv NAME=VALUE")
        if settings.acts(name) and not sim.options.get("shell"):
            raise InputError(f"shell putenv {name} is refused: programs obey it, and scripts may not change how they run",
                             f"set {name} before you start Everlet; --allow-shell allows it for programs that a script starts")
        settings.put(name, text)


ACTIONS = {"cd": cd, "mkdir": mkdir, "mv": mv, "rm": rm, "rmdir": rmdir}

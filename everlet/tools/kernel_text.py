"""`everlet kernel`: the text of a kernel in C, as drivers compile it or would."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import everlet
from everlet.errors import EverletError, InputError, arguments, unknown
from everlet.perf import options
from everlet.portable import Kernel
from everlet.portable.backends.c.compilers import COMPILERS
from everlet.portable.backends.c.dialects import DIALECTS
from everlet.portable.backends.c.printed import BACKENDS, c_text
from everlet.portable.dry import Dry, Notes
from everlet.run.engine import Engine
from everlet.script.parser import Script
from everlet.script.registry import command
from everlet.script.words import without_files

USAGE = "everlet kernel NAME [SCRIPT] [--dialect D] [--precision double|mixed|single] [--arch A]"
PRECISIONS = ("double", "mixed", "single")
MELT = """
region box block 0 7 0 7 0 7
create_box 1 box
create_atoms 1 random 256 4711 NULL
mass * 1.0
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
fix 1 all nve
run 1
"""


ENOUGH = 1000  # launches without a kernel that is new


class Heard(Exception):
    """What else a script launches are kernels that are known."""


class Few(Notes):
    """Of a script's first steps."""

    since = 0

    def add(self, kernel: Kernel) -> None:
        self.since = self.since + 1 if self.times(kernel) else 0
        super().add(kernel)
        if self.since > ENOUGH:
            raise Heard


class Reader(Script):
    """Passes over what writes files: numbers of a device that is not there mean nothing."""

    def execute(self, name: str, args: list[str]) -> None:
        says, system = command.says(name), self.sim.system
        if says.unplanned:
            return
        dumps = dict(system.dumps) if says.runs else {}
        for id in dumps:
            del system.dumps[id]
        try:
            super().execute(name, without_files(args) if name == "fix" else args)
        finally:
            system.dumps.update(dumps)


def of_script(text: str, name: str, precision: str, dialect: str) -> list[Kernel]:
    """All kernels that a script launches, on a device that is not there; a fault of the script ends it as anywhere."""
    space = Dry(BACKENDS[dialect].target)
    space.notes = Few(whole=True)
    engine = Engine(space, precision)
    engine.options["tune"] = False
    engine.script = Reader(engine)
    try:
        engine.script.text(text, name)
    except Heard:
        pass
    except EverletError:  # kernels have found no temperature, no charges …
        if not space.notes.launched:
            raise
    if not space.notes.launched:
        raise InputError(f"{name} has no run", "add: run 1")
    return space.notes.kernels()


def of_package(precision: str, dialect: str) -> list[Kernel]:
    """Kernels that stand in modules of the package by name, and those of a melt."""
    found: list[Kernel] = of_script(MELT, "a melt", precision, dialect)
    for module in pkgutil.walk_packages(everlet.__path__, "everlet."):
        if not module.name.endswith("__main__"):
            try:
                found += [one for one in vars(importlib.import_module(module.name)).values() if isinstance(one, Kernel)]
            except ImportError:
                continue  # of an extra that is not installed
    return found


def main(words: list[str]) -> int:
    end = next((k for k, word in enumerate(words) if word.startswith("--")), len(words))
    arguments(words[:end], 1, 2, USAGE)
    given = options.parse(words[end:], {"dialect": (lambda text, flag: text, "opencl"),
                                        "precision": (lambda text, flag: text, "double"), "arch": (options.word, "")}, USAGE)
    name, dialect, precision = words[0], given["dialect"], given["precision"]
    if dialect not in DIALECTS:
        raise unknown("dialect", dialect, DIALECTS)
    if precision not in PRECISIONS:
        raise unknown("precision", precision, PRECISIONS)
    if given["arch"] and dialect not in COMPILERS:
        raise InputError(f"--arch means nothing to {DIALECTS[dialect].name}", f"it goes with {' or '.join(COMPILERS)}")
    if words[1:end]:
        try:
            text = Path(words[1]).read_text()
        except OSError as error:
            raise EverletError(f"{words[1]} cannot be read: {error.strerror}", USAGE) from None
        kernels = of_script(text, words[1], precision, dialect)
    else:
        kernels = of_package(precision, dialect)
    kernels.reverse()  # the first of one name is meant; parts of loops that do several things at once have names, too
    found = {part.name: kernel for kernel in kernels for part in kernel.parts} | {kernel.name: kernel for kernel in kernels}
    if name not in found:
        raise unknown("kernel", name, found)
    text = c_text(found[name], dialect)
    if dialect in COMPILERS:
        print(COMPILERS[dialect].line(text, found[name].name, given["arch"]))
    print(text, end="")
    return 0

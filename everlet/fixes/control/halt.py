"""Runs that end when a condition is met."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable

from everlet.computes.base import compute_style
from everlet.computes.words.references import needs
from everlet.errors import InputError, RunError, arguments, number, one_of, unknown, yes_no
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.state.system import System
from everlet.state.topology import BOND, has

USAGE = ("fix ID group halt N bondmax|tlimit|diskfree|v_NAME OPERATOR VALUE [error hard|soft|continue] [message yes|no] "
         "[path FOLDER]")
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "|^": lambda a, b: (a != 0.0) != (b != 0.0)}
ATTRIBUTES = ("bondmax", "tlimit", "diskfree")
MEGABYTE = 1024.0**2


@fix_style("halt")
class Halt(Fix):
    """fix ID group halt N bondmax|tlimit|diskfree|v_NAME OPERATOR VALUE [error hard|soft|continue] [message yes|no]
    [path FOLDER]

    Every N steps: ends the run if the longest bond, the seconds since the run began, the free space of a disk (Mbytes) or a
    variable is so. soft: later runs are skipped; continue: they are not; hard: an error ends the script.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.every, self.attribute = every_steps(args[0], "fix halt"), args[1]
        if args[1] not in ATTRIBUTES and not args[1].startswith("v_"):
            raise unknown("attribute of fix halt", args[1], ATTRIBUTES, f"usage: {USAGE}")
        one_of("operator of fix halt", args[2], OPERATORS)
        self.holds, self.value = OPERATORS[args[2]], number(args[3], "a value")
        self.way, self.message, self.path = "soft", True, "."
        for word, value in zip(args[4::2], [*args[5::2], ""], strict=False):
            if word == "error" and value in ("hard", "soft", "continue"):
                self.way = value
            elif word == "message":
                self.message = yes_no(value, "fix halt message")
            elif word == "path" and os.path.exists(value):
                self.path = value
            else:
                raise unknown("keyword of fix halt", f"{word} {value}", ("error", "message", "path"), f"usage: {USAGE}")
        if self.attribute == "bondmax" and not has(system.atoms, BOND):
            raise InputError("fix halt bondmax: atoms have no bonds", "use an atom style with bonds")
        self.since = time.monotonic()

    def needs(self, step: int) -> tuple[str, ...]:
        return needs(self.system, self.attribute, step) if step % self.every == 0 else ()

    def init(self) -> None:
        name = self.attribute[2:]
        if self.attribute.startswith("v_") and self.system.variables.style(name) == "atom":
            raise InputError(f"fix halt: variable '{name}' has one value per atom", "use an equal-style variable")
        self.since = time.monotonic()

    def measured(self) -> float:
        system = self.system
        if self.attribute == "bondmax":
            lengths = compute_style["bond/local"](system, f"{self.id}_bonds", "all", ["dist"]).local()
            return float(system.ranks.max([float(lengths.max(initial=0.0))])[0])
        if self.attribute == "tlimit":
            return float(system.ranks.from_first(time.monotonic() - self.since))
        if self.attribute == "diskfree":
            return float(system.ranks.from_first(shutil.disk_usage(self.path).free / MEGABYTE))
        return float(system.variables.evaluate(self.attribute[2:]))

    def end_of_step(self) -> None:
        now = self.measured()
        if not self.holds(now, self.value):
            return
        text = f"Fix halt condition for fix-id {self.id} met on step {self.system.step} with value {now:g}"
        if self.way == "hard":
            raise RunError(text, "fix halt … error hard ends the script here; soft or continue end the run alone")
        if self.message:
            self.notes.append(text)
        self.system.halted = self.way

"""Functions of a program that are called in the course of a run, at steps that are known ahead: between them steps are replayed
and nobody asks Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everlet.fixes.base import Fix
from everlet.state.operation import TALLY
from everlet.state.system import System
from everlet.usercode import blaming


class OnStep(Fix):
    """Calls a function after steps that are multiples of `every`."""

    reads = ("x", "v", "f")
    forgets = "what a function of the program remembers"

    def __init__(self, system: System, id: str, every: int, function: Callable[[Any], None], face: Any):
        super().__init__(system, id, "all", [])
        self.style, self.every, self.function, self.face = "on_step", every, function, face

    def needs(self, step: int) -> tuple[str, ...]:
        return TALLY if step % self.every == 0 else ()

    def end_of_step(self) -> None:
        name, record = getattr(self.function, "__name__", "a function"), self.face._record
        record.watching = name
        try:
            with blaming(f"{name}, called at step {self.system.step} by on_step,"):
                self.function(self.face)
        finally:
            record.watching = ""

"""Settings that change in a run: from one number to another, or as an equal-style variable says."""

from __future__ import annotations

import numpy as np

from everlet.computes.words.peratom import owned
from everlet.computes.words.references import needs
from everlet.errors import InputError, number
from everlet.state.clock import ramped
from everlet.state.system import System

__all__ = ["Ramp", "ramped"]


class Ramp:
    """START STOP: from the first to the last step of a run, or between those of `run … start … stop`. v_NAME in place of START:
    the value that the variable has at each step; with `each` it may have one for each atom."""

    def __init__(self, system: System, start: str, stop: str, what: str, each: bool = False):
        self.system, self.what, self.styles = system, what, ("equal", "internal", *(("atom",) if each else ()))
        self.variable = start[2:] if start.startswith("v_") else ""
        self.start = 0.0 if self.variable else number(start, what)
        self.stop = number(stop, what)
        self._check(self.start)
        self._check(self.stop)

        self._values = {(self.start, self.stop): 0}  # those that it has had

    def set(self, value: float) -> None:
        """One value from now on."""
        if self.variable:
            raise InputError(f"{self.what} follows the variable '{self.variable}': it cannot be set", "give a number instead")
        self.start = self.stop = self._check(value)
        self._values.setdefault((value, value), len(self._values))

    @property
    def variant(self) -> int:
        """A number that tells values apart, for fixes whose launches are replayed."""
        return self._values[self.start, self.stop]

    def _check(self, value: float) -> float:
        if value < 0.0:
            raise InputError(f"{self.what} cannot be negative, found {value:g}", "give 0 or more")
        return value

    def init(self) -> None:
        style = self.system.variables.style(self.variable) if self.variable else "equal"
        if style not in self.styles:
            raise InputError(f"{self.what}: variable '{self.variable}' is of style {style}", "use an equal-style variable")

    @property
    def each(self) -> bool:
        """Atoms have values of their own."""
        return bool(self.variable) and self.system.variables.style(self.variable) == "atom"

    def of_atoms(self) -> np.ndarray:
        """Of each atom of this rank."""
        values = owned(self.system, np.asarray(self.system.variables.peratom(self.variable)))
        self._check(float(values.min(initial=0.0)))
        return values

    def needs(self, step: int) -> tuple[str, ...]:
        return needs(self.system, f"v_{self.variable}", step) if self.variable else ()

    def arguments(self) -> tuple[float, float, int, int]:
        """What `ramped` takes after the step: the same at every step of a run, unless a variable says it."""
        if self.each:
            return 1.0, 1.0, 0, 0
        if self.variable:
            now = self._check(self.system.variables.evaluate(self.variable))
            return now, now, 0, 0
        return self.start, self.stop, self.system.run_start, self.system.run_stop

    def now(self) -> float:
        return ramped(self.system.step, *self.arguments())

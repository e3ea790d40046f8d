"""When a dump writes: every N steps, at steps that a variable names, or every so often in simulated time.

    every N         multiples of N
    every v_NAME    the variable is asked when a run begins and after each frame: the next step to write at
    every/time T    the first step at or after each multiple of T (time units)
"""

from __future__ import annotations

import math

from everlet.computes.words.references import variables
from everlet.errors import InputError, integer, number
from everlet.state.system import System

NEAR = 1e-6  # of a time step: times that are nearer are the same


class Timing:
    """Settings and the next step; `delay` and `first` as in dump_modify."""

    def __init__(self, system: System, user: str, every: int):
        self.system, self.user, self.every = system, user, every
        self.variable, self.interval = "", 0.0
        self.delay, self.first = 0, False
        self.last = -1  # step of the last frame
        self._next = -1

    def set_every(self, word: str) -> None:
        if word.startswith("v_"):
            self.variable, self.every, self.interval = word[2:], 0, 0.0
            return
        every = integer(word, "a number of steps")
        if every <= 0:
            raise InputError(f"dump_modify every must be positive, found {every}", "give a number of 1 or more")
        self.every, self.variable, self.interval = every, "", 0.0

    def set_interval(self, word: str) -> None:
        if word.startswith("v_"):
            raise InputError("dump_modify every/time with a variable is not available", "give a time, or use every v_NAME")
        self.interval = number(word, "a time")
        if self.interval <= 0.0:
            raise InputError(f"dump_modify every/time must be positive, found {word}", "give a time above 0")
        self.every, self.variable = 0, ""

    def begin(self, step: int) -> None:
        """A run begins at this step, or a frame is written."""
        if self.variable:
            self._ask(step)

    def _ask(self, step: int) -> None:
        value = variables(self.system, self.variable).evaluate(self.variable)
        self._next = int(value)
        if self._next <= step:
            raise InputError(f"{self.user}: variable {self.variable} gives step {value:g} at step {step}",
                             "it must name a later step")

    def due(self, step: int) -> bool:
        """A frame is wanted on this step and not yet written."""
        if step == self.last or step < self.delay:
            return False
        return self._at(step) or (self.first and self.last < 0)

    def _at(self, step: int) -> bool:
        if self.variable:
            return step == self._next
        if self.interval:
            return self._multiples(self.system.time) > self._multiples(self.system.time - self.system.dt)
        return step % self.every == 0

    def _multiples(self, time: float) -> int:
        return math.floor((time + NEAR * self.system.dt) / self.interval)

    def next(self, step: int) -> int:
        """The first step after this one that may have a frame."""
        if self.variable:
            return self._next if self._next > step else step + 1
        if self.interval:
            return step + 1
        return step + self.every - step % self.every

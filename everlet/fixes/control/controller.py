"""A variable that is changed until a value is as wanted: a PID controller."""

from __future__ import annotations

import numpy as np

from everlet.computes.words.references import global_word, needs, variables
from everlet.errors import InputError, arguments, number
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group controller N ALPHA KP KI KD c_ID|f_ID|v_NAME SETPOINT VARIABLE"


@fix_style("controller")
class Controller(Fix):
    """fix ID group controller N ALPHA KP KI KD VALUE SETPOINT VARIABLE: every N steps the internal-style VARIABLE changes by
    -ALPHA (KP e dt + KI dt^2 sum e + KD (e - e before)), e = VALUE - SETPOINT, dt the time of N steps. VALUE: c_ID, c_ID[i],
    f_ID, f_ID[i] or v_NAME.

    f_ID[1-3]: the three parts of the last change.
    """

    gives = Gives(vector=INTENSIVE, length=3)
    keeps = ("total", "before", "parts", "given")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 8, 8, USAGE)
        self.every = every_steps(args[0], "fix controller")
        self.alpha, self.kp, self.ki, self.kd = (number(word, "a factor of fix controller") for word in args[1:5])
        found = global_word(args[5])
        if found is None:
            raise InputError(f"fix {id}: '{args[5]}' is no value", f"usage: {USAGE}")
        self.value, self.wanted, self.name = found, number(args[6], "a set point"), args[7]
        self.value.check(system)
        self.total, self.parts = 0.0, [0.0, 0.0, 0.0]
        self.before: list[float] = []  # the last error, if there was one
        self.given: list[float] = []  # the variable's last value, if it is ours

    def init(self) -> None:
        known = variables(self.system, self.name)
        if known.style(self.name) != "internal":
            raise InputError(f"fix {self.id}: variable '{self.name}' is not of internal style",
                             "define it with: variable NAME internal VALUE")

    def begin(self) -> None:
        for value in self.given if self.system.continues else ():
            variables(self.system, self.name).set_internal(self.name, value)

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(needs(self.system, self.value.source, step)) if step % self.every == 0 else ()

    def end_of_step(self) -> None:
        known, dt = variables(self.system, self.name), self.every * self.system.dt
        error = self.value.value(self.system) - self.wanted
        self.total += error
        change = error - self.before[0] if self.before else 0.0
        self.before = [error]
        self.parts = [-self.alpha * part for part in (self.kp * dt * error, self.ki * dt * dt * self.total, self.kd * change)]
        self.given = [known.evaluate(self.name) + sum(self.parts)]
        known.set_internal(self.name, self.given[0])

    def vector(self) -> np.ndarray:
        return np.array(self.parts)

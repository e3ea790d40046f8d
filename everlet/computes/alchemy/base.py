"""Energies of states that are not there: the pair style and the long-range solver are asked again, in the middle of a step."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from everlet.computes.base import Compute
from everlet.errors import InputError, number
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

PHASES = ("Pair", "Kspace")
HIGHEST = 709.0  # exponent


class OtherState(Compute):
    """c_ID[1]: dU, c_ID[2]: exp(-dU / kT), c_ID[3]: a number of the style; `change` makes the other state, `undo` ends it."""

    gives = Gives(vector=INTENSIVE, length=3)
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.kt, self.tail = system.units.boltz * number(args[0], "a temperature"), False
        if self.kt <= 0.0:
            raise InputError(f"compute {self.id}: temperature {args[0]}", "give one above zero")

    def energy(self) -> float:
        """Of pairs and the long-range solver now."""
        system = self.system
        tail = system.pair.etail / system.need_box().volume if self.tail and system.pair is not None else 0.0
        return float(system.evaluator.energies_of(PHASES) + tail)

    def difference(self, change: Callable[[], None], undo: Callable[[], None]) -> float:
        before = self.energy()
        try:
            change()
            return self.energy() - before
        finally:
            undo()

    def weight(self, change: float) -> float:
        """exp(-dU / kT)."""
        exponent = -change / self.kt
        return math.exp(exponent) if exponent < HIGHEST else math.inf

    def vector(self) -> np.ndarray:
        system = self.system
        if not system.fresh.inside:
            step, value = self._kept.get("vector", (-1, None))
            if step == system.step and system.fresh.known:
                return np.asarray(value)
            raise InputError(f"compute {self.id} is known at steps of a run alone, where it was asked for",
                             "use it in thermo_style or fix ave/time, and read it behind the run")
        return self.numbers()

    def numbers(self) -> np.ndarray:
        raise NotImplementedError

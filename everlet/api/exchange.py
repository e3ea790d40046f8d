"""Replica exchange of a batch: systems swap temperatures by Metropolis' criterion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from everlet.errors import InputError
from everlet.fixes.members.base import MemberFix
from everlet.portable.random import uniforms
from everlet.run.replicas.exchange import accepted, exponent, partner, rescaling

if TYPE_CHECKING:
    from everlet.api.batch import Batch

STREAM = 0x45584348  # of random numbers: no system has it


class Exchange:
    """What `runs.exchange(every)` gives. Neighbours on the ladder of temperatures are paired at even and odd places in turns.

    temperatures   at which each system is held now
    attempts       swaps that were tried, of each step of the ladder; `swaps` those that were made
    history        (times, 1 + systems): the step, and the place on the ladder of each system from then on
    """

    def __init__(self, batch: Batch, every: int, seed: int):
        self._batch, self.every, self.seed = batch, every, seed
        self._fixes = [fix for fix in batch.engine.system.fixes.values() if isinstance(fix, MemberFix) and hasattr(fix, "temp")]
        if every < 1 or not self._fixes:
            raise InputError("exchange needs steps between exchanges, and a thermostat",
                             "use runs.fix.nvt or runs.fix.langevin first, and every=100 or so")
        temps = self._fixes[0].temp
        if (temps[:, 0] != temps[:, 1]).any() or any((fix.temp != temps).any() for fix in self._fixes):
            raise InputError("exchange needs one temperature for each system, which does not change", "give temp=[…]")
        if (batch._members.sizes != batch._members.sizes[0]).any():
            raise InputError("systems that swap temperatures must have the same atoms", "make a batch of equal systems")
        self.ladder = np.sort(temps[:, 0])
        self.places = np.argsort(np.argsort(temps[:, 0], kind="stable"), kind="stable")
        self.turn = 0
        self.attempts, self.swaps = (np.zeros(len(self.ladder) - 1, int) for _ in range(2))
        self.history = [np.concatenate([[batch.step], self.places])]

    @property
    def temperatures(self) -> np.ndarray:
        return np.asarray(self.ladder[self.places])

    @property
    def ratios(self) -> np.ndarray:
        """Of swaps that were made, for each step of the ladder."""
        return self.swaps / np.maximum(self.attempts, 1)

    @np.errstate(over="ignore")
    def _draw(self, place: int) -> float:
        """A number in (0, 1) for this place of the ladder and this turn."""
        return float(uniforms(self.seed, place, self.turn, STREAM)[0])

    def swap(self) -> None:
        """Try to swap, with the energies of now."""
        energies, boltz = self._batch.energies, self._batch.engine.system.units.boltz
        who, factors, pairs = np.argsort(self.places), np.ones(len(self.places)), []
        for low in range(len(self.ladder) - 1):
            if partner(low, len(self.ladder), bool(self.turn % 2)) != low + 1:
                continue
            a, b = int(who[low]), int(who[low + 1])
            temps = float(self.ladder[low]), float(self.ladder[low + 1])
            self.attempts[low] += 1
            delta = exponent((energies[a], energies[b]), temps, boltz)
            if accepted(delta, lambda place=low: self._draw(place)):  # type: ignore[misc]
                self.swaps[low] += 1
                pairs.append((a, b))
                self.places[[a, b]] = self.places[[b, a]]
                factors[a], factors[b] = rescaling(*temps), rescaling(*temps[::-1])
        self.turn += 1
        self.history.append(np.concatenate([[self._batch.step], self.places]))
        if pairs:
            v = self._batch.engine.system.atoms.edit("v")
            v *= np.repeat(factors, self._batch._members.sizes)[:, None]
            for fix in self._fixes:
                fix.swap(pairs, factors)
            self._batch.temperatures_swapped(self.temperatures)

"""Temperatures whose velocities are counted from a flow, or of some atoms alone: worked out on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.temperatures.base import Temperature
from everlet.portable import Kernel

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


class Biased(Temperature):
    """Base: a style gives `bias()`, what is taken off the velocities of this rank's atoms, and may leave out atoms."""

    biased = True
    reads: tuple[str, ...] = ("x", "v", "type", "mask")
    _taken: np.ndarray | None = None

    def kernels(self) -> list[Kernel]:
        return []

    def bias(self) -> np.ndarray:
        """(n, 3), of all atoms of this rank. All ranks ask together."""
        raise NotImplementedError

    def bias_again(self) -> np.ndarray:
        """That of the last `bias()`, where it depends on velocities."""
        return self.bias()

    def members(self, bit: int | None = None) -> np.ndarray:
        """True for atoms of its group, or of another one."""
        return (self.system.atoms.read("mask") & (self.bit if bit is None else bit)) != 0

    def counting(self) -> np.ndarray:
        """True for atoms that count."""
        return self.members()

    def masses(self) -> np.ndarray:
        return self.system.masses_of()

    def sums(self) -> np.ndarray:
        rows = np.flatnonzero(self.counting())
        v, m = (self.system.atoms.read("v") - self.bias())[rows], self.masses()[rows]
        return self.system.ranks.sum(np.array([*(m @ (v[:, a] * v[:, b]) for a, b in PAIRS), float(len(rows))]))

    def take_bias(self, bit: Any = None, again: bool = False) -> None:
        self._taken = np.where(self.members(bit)[:, None], self.bias_again() if again else self.bias(), 0.0)
        self.system.atoms.edit("v")[:] -= self._taken

    def give_bias(self, bit: Any = None) -> None:
        assert self._taken is not None
        self.system.atoms.edit("v")[:] += self._taken
        self._taken = None


def unbiased_velocities(heat: Temperature) -> np.ndarray:
    """What a temperature counts of the velocities of this rank's atoms. Velocities stay as they are, bit by bit."""
    atoms = heat.system.atoms
    before = atoms.read("v").copy()
    heat.take_bias()
    found = atoms.read("v").copy()
    heat.give_bias()
    atoms.edit("v")[:] = before
    return found

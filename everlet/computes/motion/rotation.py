"""Momentum and rotation of a group: what fixes that take them away, and others, need of it. Sums run over all ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.state.moments import SMALL_MOMENT
from everlet.state.system import System


class Body:
    """The atoms of a group as one body: mass, centre (unwrapped) and its velocity; rows of this rank's atoms."""

    def __init__(self, system: System, bit: Any):
        atoms = system.atoms
        self.system, self.rows = system, np.flatnonzero(atoms.read("mask") & bit)
        self.m = system.masses_of()[self.rows]
        self.x, self.v = unwrapped(system)[self.rows], atoms.read("v")[self.rows]
        sums = self._sum([self.m.sum(), *(self.m @ self.x), *(self.m @ self.v)])
        self.mass = float(sums[0])
        self.centre: np.ndarray = sums[1:4] / (self.mass or 1.0)
        self.velocity: np.ndarray = sums[4:] / (self.mass or 1.0)

    def _sum(self, values: Any) -> np.ndarray:
        return self.system.ranks.sum(np.array(values))

    def kinetic(self) -> float:
        """Sum of m v^2."""
        return float(self._sum([float(self.m @ (self.v**2).sum(axis=1))])[0])

    def angular_velocity(self) -> np.ndarray:
        """omega with L = I omega about the centre, 0 about an axis on which all atoms are."""
        return self.turned_by(self._sum((np.cross(self.x - self.centre, self.v) * self.m[:, None]).sum(axis=0)))

    def turned_by(self, spin: np.ndarray) -> np.ndarray:
        """I^-1 of a vector, 0 along an axis on which all atoms are."""
        d = self.x - self.centre
        second = self._sum(np.einsum("i,ia,ib->ab", self.m, d, d).ravel()).reshape(3, 3)
        moments, axes = np.linalg.eigh(np.trace(second) * np.eye(3) - second)
        turns = moments > SMALL_MOMENT * max(float(moments.max()), 0.0)
        return axes @ np.divide(axes.T @ spin, moments, out=np.zeros(3), where=turns)

"""Density and temperature around each atom."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import NearPoints, cutoff_word, pairs_within
from everlet.neighbor.surroundings import Surroundings, surroundings
from everlet.portable import View
from everlet.state.operation import Gives
from everlet.state.system import System


@compute_style("ave/sphere/atom")
class AveSphereAtom(NearPoints):
    """compute ID group ave/sphere/atom [cutoff R]: of the n atoms within R (that of the pair style), with the atom itself:
    c_ID[1]: sum m / (4 pi R^3 / 3), in two dimensions / (pi R^2); c_ID[2]: sum m (v - v_c)^2 / (d n k_B), v_c = sum m v /
    sum m."""

    gives = Gives(columns=2)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.cutoff = cutoff_word("ave/sphere/atom", args)
        self.made, self.values = 0, View(0, np.float64, system.space)

    def peratom(self) -> np.ndarray:
        system, units, reach = self.system, self.system.units, self.reach()
        near = surroundings(system, reach, "unlisted")
        rows, i, j, _ = pairs_within(near, int(self.bit), reach)
        view = near.system.atoms.view("x")
        v = self._known(near, view.shape[0], system.atoms.read("v"))
        m = self._known(near, view.shape[0], system.masses_of()[:, None])[:, 0]
        parts = np.column_stack([np.ones(len(m)), m, m[:, None] * v, m * (v**2).sum(axis=1)])
        sums = parts[: near.n].copy()
        for k in range(parts.shape[1]):
            sums[:, k] += np.bincount(i, parts[j, k], near.n)
        count, mass, momentum, double = sums[:, 0], sums[:, 1], sums[:, 2:5], sums[:, 5]
        d = system.dimension
        heat = units.mvv2e * (double - (momentum**2).sum(axis=1) / mass) / (d * count * units.boltz)
        volume = math.pi * reach**2 if d == 2 else 4.0 / 3.0 * math.pi * reach**3
        found = np.zeros((near.n, 2))
        found[rows] = np.stack([units.mv2d * mass / volume, heat], axis=1)[rows]
        return found

    def _known(self, near: Surroundings, count: int, owned: np.ndarray) -> np.ndarray:
        """Columns of numbers of atoms and of ghosts, which have those of their owners."""
        found = np.zeros((count, owned.shape[1]))
        if self.values.shape[0] != count:  # messages between ranks remember where it is: another array has another name
            self.values, self.made = View(count, np.float64, self.system.space), self.made + 1
        for k, column in enumerate(owned.T):
            whole = self.values.get()
            whole[: near.n] = column
            self.values.put(whole)
            near.comm.forward_values(near.system, f"{self.word} {self.made}", self.values)
            found[:, k] = self.values.get()
        return found

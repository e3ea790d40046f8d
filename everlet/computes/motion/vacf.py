"""Autocorrelation of velocities."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@compute_style("vacf")
class VACF(Compute):
    """compute ID group vacf: means over the group of v_x v_x0, v_y v_y0, v_z v_z0 and of their sum; v_0: when it was
    defined."""

    gives = Gives(vector=INTENSIVE, length=4)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "compute ID group vacf")
        if not self.add_field("origin", width=3):
            system.atoms.edit(self.field("origin"))[:] = system.atoms.read("v")

    def new_atoms(self, rows: np.ndarray) -> None:
        if (self.system.atoms.read("mask")[rows] & self.bit).any():
            raise InputError(f"compute {self.id}: an atom has come into its group, and has no velocity of the beginning",
                             "name a group of atoms that stay the same")

    def vector(self) -> np.ndarray:
        atoms = self.system.atoms
        rows = (atoms.read("mask") & self.bit) != 0
        products = (atoms.read("v") * atoms.read(self.field("origin")))[rows]
        sums = self.system.ranks.sum(np.array([*products.sum(axis=0), len(products)]))
        means = sums[:3] / sums[3] if sums[3] else sums[:3]
        return np.append(means, means.sum())

"""Kinetic energy of each atom."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import no_arguments
from everlet.state.operation import Gives
from everlet.state.system import System


@compute_style("ke/atom")
class KEAtom(Compute):
    """compute ID group ke/atom: 1/2 mvv2e m v^2; 0 for atoms that are not in the group."""

    gives = Gives(columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", "ke/atom")

    def peratom(self) -> np.ndarray:
        system, atoms = self.system, self.system.atoms
        v, mass = atoms.read("v"), system.masses_of()
        return np.where(atoms.read("mask") & self.bit, 0.5 * system.units.mvv2e * mass * (v * v).sum(axis=1), 0.0)

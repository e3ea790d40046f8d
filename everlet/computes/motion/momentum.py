"""Total momentum of a group."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import arguments
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


@compute_style("momentum")
class Momentum(Compute):
    """compute ID group momentum: sum m v."""

    gives = Gives(vector=EXTENSIVE, length=3)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "compute ID group momentum")

    def vector(self) -> np.ndarray:
        system, atoms = self.system, self.system.atoms
        m = np.where((atoms.read("mask") & self.bit) != 0, system.masses_of(), 0.0)
        return system.ranks.sum(m @ atoms.read("v"))

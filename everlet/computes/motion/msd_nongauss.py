"""How far displacements are from a normal distribution."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.motion.msd import MSD
from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@compute_style("msd/nongauss")
class MSDNonGauss(MSD):
    """compute ID group msd/nongauss [com yes|no]: means of d^2 and d^4, and 3 <d^4> / (5 <d^2>^2) - 1 (not a number without
    displacements), d the displacement since it was defined, as of compute msd."""

    gives = Gives(vector=INTENSIVE, length=3)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if self.average:
            raise InputError("compute msd/nongauss has no keyword 'average'", "leave it out, or use compute msd")

    def vector(self) -> np.ndarray:
        atoms = self.system.atoms
        d = unwrapped(self.system) - self._centre() - atoms.read(self.field("origin"))
        square = (d**2).sum(axis=1)[atoms.read("mask") & self.bit != 0]
        count, second, fourth = self.system.ranks.sum(np.array([len(square), square.sum(), (square**2).sum()]))
        second, fourth = second / (count or 1.0), fourth / (count or 1.0)
        return np.array([second, fourth, 0.6 * fourth / second**2 - 1.0 if second else np.nan])

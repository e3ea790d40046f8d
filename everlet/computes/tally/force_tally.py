"""Forces of pairs between two groups."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.tally.base import Tallied
from everlet.state.operation import EXTENSIVE, Gives


@compute_style("force/tally")
class ForceTally(Tallied):
    """compute ID group force/tally GROUP2: c_ID: the size of the force on the group, c_ID[1-3] of each atom: its force."""

    gives = Gives(scalar=EXTENSIVE, columns=3)

    def scalar(self) -> float:
        total = self.system.ranks.sum(self.forces()[self.members(self.bit)].sum(axis=0))
        return float(np.sqrt((total**2).sum()))

    def peratom(self) -> np.ndarray:
        return self.forces()

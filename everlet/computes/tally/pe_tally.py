"""Energy of pairs between two groups."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.tally.base import Tallied
from everlet.state.operation import EXTENSIVE, Gives


@compute_style("pe/tally")
class PETally(Tallied):
    """compute ID group pe/tally GROUP2: c_ID: the energy, and of each atom c_ID[1], half of that of its pairs, and c_ID[2], the
    part of it that is between charges."""

    gives = Gives(scalar=EXTENSIVE, columns=2)

    def scalar(self) -> float:
        return float(self.system.ranks.sum(self.energies().sum()))

    def peratom(self) -> np.ndarray:
        return self.energies()

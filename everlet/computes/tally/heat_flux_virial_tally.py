"""Heat that flows through the pairs between two groups."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.tally.base import Tallied
from everlet.errors import InputError
from everlet.state.operation import EXTENSIVE, Gives


@compute_style("heat/flux/virial/tally")
class HeatFluxVirialTally(Tallied):
    """compute ID group heat/flux/virial/tally GROUP2: c_ID = 1/2 sum F_ij (v_i + v_j) over atoms i of the group and j of
    GROUP2, which has none of its atoms; energy over time, into the group. c_ID[1-3]: of each atom of the group half of its
    force by these pairs, of each of GROUP2 minus that."""

    gives = Gives(scalar=EXTENSIVE, columns=3)

    def halves(self) -> np.ndarray:
        mine, theirs = self.members(self.bit), self.members(self.other)
        if self.system.ranks.sum(int((mine & theirs).sum())):
            raise InputError(f"compute {self.id}: atoms are in group {self.group} and in {self.args[0]}",
                             "heat flows between groups that have no atom in common")
        return np.where(theirs, -0.5, 0.5)[:, None] * self.forces()

    def scalar(self) -> float:
        return float(self.system.ranks.sum((self.halves() * self.system.atoms.read("v")).sum()))

    def peratom(self) -> np.ndarray:
        return self.halves()

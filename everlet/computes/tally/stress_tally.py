"""Stresses of pairs between two groups."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.tally.base import Tallied
from everlet.state.operation import INTENSIVE, Gives


@compute_style("stress/tally")
class StressTally(Tallied):
    """compute ID group stress/tally GROUP2: of each atom c_ID[1-6], its stress times volume as in stress/atom, of these pairs:
    -W_ab, xx yy zz xy xz yz, in units of pressure and volume. c_ID: a third of the trace of the sum of W, an energy."""

    gives = Gives(scalar=INTENSIVE, columns=6)

    def scalar(self) -> float:
        return float(self.system.ranks.sum(self.virials()[:, :3].sum())) / 3.0

    def peratom(self) -> np.ndarray:
        return -self.system.units.nktv2p * self.virials()

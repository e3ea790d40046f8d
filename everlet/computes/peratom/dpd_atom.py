"""Inner energies and temperatures of dissipative particles, one by one."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import OfKind, compute_style
from everlet.state.operation import Gives


@compute_style("dpd/atom")
class DPDAtom(OfKind):
    """compute ID group dpd/atom: c_ID[1] u_cond, [2] u_mech, [3] u_chem (0), [4] theta of each particle of the group; 0 of
    others."""

    name, needed = "dpd/atom", "theta"
    gives = Gives(columns=4)
    reads = ("cond", "mech", "theta", "mask")

    def peratom(self) -> np.ndarray:
        cond, mech, theta, mask = (self.system.atoms.read(name) for name in self.reads)
        values = np.stack([cond, mech, np.zeros_like(cond), theta], axis=1)
        return np.where(((mask & self.bit) != 0)[:, None], values, 0.0)

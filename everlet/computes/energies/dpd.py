"""Inner energies of dissipative particles."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import OfKind, compute_style
from everlet.state.operation import INTENSIVE, Gives


@compute_style("dpd")
class DPD(OfKind):
    """compute ID group dpd: c_ID[1] sum of u_cond, [2] u_mech, [3] u_chem (0), [4] N / sum(1/theta), [5] N; of all atoms,
    whatever thermo_modify norm says."""

    name, needed = "dpd", "theta"
    gives = Gives(vector=INTENSIVE, length=5)
    copies_scale = False
    reads = ("cond", "mech", "theta")

    def vector(self) -> np.ndarray:
        atoms = self.system.atoms
        found = self.system.ranks.sum(np.array([atoms.read("cond").sum(), atoms.read("mech").sum(), 0.0,
                                                (1.0 / atoms.read("theta")).sum(), float(atoms.n)]))
        found[3] = found[4] / found[3] if found[3] else 0.0
        return found

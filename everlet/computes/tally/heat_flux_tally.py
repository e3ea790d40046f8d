"""Flux of heat by pairs between two groups."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.energies.heat_flux import TENSOR
from everlet.computes.tally.base import Tallied
from everlet.state.operation import EXTENSIVE, Gives


@compute_style("heat/flux/tally")
class HeatFluxTally(Tallied):
    """compute ID group heat/flux/tally GROUP2: c_ID[1-3] = sum (e v + W v), c_ID[4-6] = sum e v over the group; e: kinetic
    energy and half of the energy of these pairs, W: half of their virial. The volume is not divided by."""

    gives = Gives(vector=EXTENSIVE, length=6)

    def vector(self) -> np.ndarray:
        system = self.system
        mine = self.members(self.bit)
        v, masses = system.atoms.read("v")[mine], system.masses_of()[mine]
        energy = self.energies()[mine].sum(axis=1) + 0.5 * system.units.mvv2e * masses * (v**2).sum(axis=1)
        carried = energy @ v
        pushed = np.einsum("iab,ib->a", self.virials()[mine][:, TENSOR], v)
        sums = system.ranks.sum(np.concatenate([carried, pushed]))
        return np.concatenate([sums[:3] + sums[3:], sums[:3]])

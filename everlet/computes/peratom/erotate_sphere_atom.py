"""The energy of each sphere that turns."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import OfKind, compute_style
from everlet.computes.energies.erotate_sphere import INERTIA
from everlet.state.operation import Gives


@compute_style("erotate/sphere/atom")
class ERotateSphereAtom(OfKind):
    """compute ID group erotate/sphere/atom: 1/2 I omega^2 of each atom, I = 2/5 m R^2; 0 for those not in the group."""

    name, needed = "erotate/sphere/atom", "radius"
    gives = Gives(columns=0)
    reads = ("omega", "radius", "rmass", "mask")

    def peratom(self) -> np.ndarray:
        atoms = self.system.atoms
        square = (atoms.read("omega") ** 2).sum(axis=1) * atoms.read("radius") ** 2 * atoms.read("rmass")
        return np.where(atoms.read("mask") & self.bit, 0.5 * INERTIA * self.system.units.mvv2e * square, 0.0)

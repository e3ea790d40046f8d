"""The energy of each sphere that turns."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.energies.erotate_sphere import INERTIA
from everlet.errors import no_arguments
from everlet.state.atom_styles import need_field
from everlet.state.operation import Gives
from everlet.state.system import System


@compute_style("erotate/sphere/atom")
class ERotateSphereAtom(Compute):
    """compute ID group erotate/sphere/atom: 1/2 I omega^2 of each atom, I = 2/5 m R^2; 0 for those not in the group."""

    gives = Gives(columns=0)
    reads = ("omega", "radius", "rmass", "mask")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", "erotate/sphere/atom")
        need_field(system.atoms, "radius", "compute erotate/sphere/atom")

    def peratom(self) -> np.ndarray:
        atoms = self.system.atoms
        square = (atoms.read("omega") ** 2).sum(axis=1) * atoms.read("radius") ** 2 * atoms.read("rmass")
        return np.where(atoms.read("mask") & self.bit, 0.5 * INERTIA * self.system.units.mvv2e * square, 0.0)

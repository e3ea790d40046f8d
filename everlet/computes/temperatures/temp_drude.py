"""Temperatures of centres of mass, and of Drude particles about their cores."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, no_arguments
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System


@compute_style("temp/drude")
class TempDrude(Compute):
    """compute ID group temp/drude: c_ID and c_ID[1]: temperature of the centres of cores with their Drude particles, and of
    other atoms; [2] of Drude particles about their cores, with the reduced masses; [3] [4] degrees of freedom of both, [5] [6]
    kinetic energies. A fix drude says what atoms are. No motion of the whole is taken off; what fixes constrain is taken off
    [3]."""

    gives = Gives(scalar=INTENSIVE, vector=INTENSIVE, length=6, each=(*(INTENSIVE,) * 2, *(EXTENSIVE,) * 4))
    reads = ("v", "type", "mask", "id")
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", "temp/drude")

    def scalar(self) -> float:
        return float(self.vector()[0])

    def vector(self) -> np.ndarray:
        system, atoms, units = self.system, self.system.whole, self.system.units
        core, shell = self._pairs()
        meant = (atoms.read("mask") & self.bit) != 0
        v, m = atoms.read("v"), system.masses_of(atoms)
        inside = meant[core] & meant[shell]
        alone = meant.copy()
        alone[core] = alone[shell] = False
        whole = m[core] + m[shell]
        centre = (m[core, None] * v[core] + m[shell, None] * v[shell]) / whole[:, None]
        about = ((v[shell] - v[core]) ** 2).sum(axis=1) * m[core] * m[shell] / whole
        outer = float(((centre**2).sum(axis=1) * whole)[inside].sum() + (m * (v**2).sum(axis=1))[alone].sum())
        energies = 0.5 * units.mvv2e * np.array([outer, float(about[inside].sum())])
        removed = sum(fix.removed_dof(self.bit) for fix in system.fixes.values())
        free = system.dimension * np.array([float(inside.sum() + alone.sum()), float(inside.sum())]) - [removed, 0.0]
        heat = np.divide(2.0 * energies, free * units.boltz, out=np.zeros(2), where=free > 0)
        return np.concatenate([heat, free, energies])

    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        found = next((fix for fix in self.system.fixes.values() if fix.style == "drude"), None)
        if found is None:
            raise InputError(f"compute {self.id} needs a fix drude, which says what atoms are",
                             "define fix ID all drude C N D …")
        pairs: tuple[np.ndarray, np.ndarray] = found.pairs()
        return pairs

"""Temperature without the flow in waves that fix accelerate/cos drives."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.biased import Biased
from everlet.errors import no_arguments
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System


@compute_style("viscosity/cos")
class ViscosityCos(Biased):
    """compute ID group viscosity/cos: as temp, of velocities without V cos(2 pi (z - z_lo) / L_z) along x,
    V = 2 sum m v_x cos(…) / sum m. Vector: the kinetic tensor, and V."""

    gives = Gives(scalar=INTENSIVE, vector=EXTENSIVE, length=7, each=(EXTENSIVE,) * 6 + (INTENSIVE,))
    speed = 0.0

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", "viscosity/cos")

    def _wave(self) -> np.ndarray:
        box = self.system.need_box()
        return np.cos(2.0 * np.pi * (self.system.atoms.read("x")[:, 2] - box.lo[2]) / box.lengths[2])

    def bias(self) -> np.ndarray:
        m, v = self.masses() * self.members(), self.system.atoms.read("v")[:, 0]
        flow, mass = self.system.ranks.sum(np.array([float((m * v * self._wave()).sum()), float(m.sum())]))
        self.speed = 2.0 * flow / mass if mass else 0.0
        return self.bias_again()

    def bias_again(self) -> np.ndarray:
        wave = self._wave()
        return np.stack([self.speed * wave, 0.0 * wave, 0.0 * wave], axis=1)

    def vector(self) -> np.ndarray:
        return np.append(super().vector(), self.speed)

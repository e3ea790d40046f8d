"""The temperature of ellipsoids, with their turning."""

from __future__ import annotations

from typing import Any

from everlet.computes.base import compute_style
from everlet.computes.energies.erotate_asphere import TURNING
from everlet.computes.temperatures.turning import Turning
from everlet.portable import Kernel


@compute_style("temp/asphere")
class TempAsphere(Turning):
    """compute ID group temp/asphere [dof all|rotate]

    T = (sum m v^2 + sum I w^2) / (N_f k_B), N_f = 6 N - 3 (in two dimensions 3 N - 2); rotate: the second sum alone, N_f = 3 N
    (or N). Vector: the tensor of both.
    """

    kind, size = "asphere", "shape"
    reads = ("v", "angmom", "quat", "shape", "rmass", "mask")

    def degrees(self, count: float) -> float:
        plane = self.system.dimension == 2
        each = (1 if plane else 3) + self.system.dimension * self.moves
        return max(each * count - self.extra - self.removed, 0.0)

    def kernels(self) -> list[Kernel]:
        return [TURNING]

    def _arguments(self) -> tuple[Any, ...]:
        system, atoms = self.system, self.system.atoms
        return (system.space, atoms.n, TURNING, atoms.view("angmom"), atoms.view("quat"), atoms.view("shape"),
                atoms.view("rmass"), atoms.view("mask"), self.bit, atoms.view("v"), float(self.moves))

"""The energy of spheres that turn."""

from __future__ import annotations

from everlet.computes.base import OfKind, compute_style
from everlet.portable import Kernel, f64, i32, parallel_reduce, portable
from everlet.state.operation import EXTENSIVE, Gives

INERTIA = 0.4  # over m R^2


@portable
def turning(i, omega: f64[:, 3], radius: f64[:], mass: f64[:], mask: i32[:], bit: i32):
    """m R^2 omega^2 of one atom."""
    found = 0.0
    if mask[i] & bit:
        found = (mass[i] * radius[i] * radius[i]
                 * (omega[i, 0] * omega[i, 0] + omega[i, 1] * omega[i, 1] + omega[i, 2] * omega[i, 2]))
    return found


TURNING = Kernel(turning, sums=1)


@compute_style("erotate/sphere")
class ERotateSphere(OfKind):
    """compute ID group erotate/sphere: 1/2 sum I omega^2, I = 2/5 m R^2, energy units."""

    name, needed = "erotate/sphere", "radius"
    gives = Gives(scalar=EXTENSIVE)
    reads = ("omega", "radius", "rmass", "mask")

    def kernels(self) -> list[Kernel]:
        return [TURNING]

    def scalar(self) -> float:
        system, atoms = self.system, self.system.atoms
        sums = parallel_reduce(system.space, atoms.n, TURNING, atoms.view("omega"), atoms.view("radius"), atoms.view("rmass"),
                               atoms.view("mask"), self.bit)
        return 0.5 * INERTIA * system.units.mvv2e * float(system.ranks.sum(sums)[0])

"""The temperature of spheres, with their turning."""

from __future__ import annotations

from typing import Any

from everlet.computes.base import compute_style
from everlet.computes.energies.erotate_sphere import INERTIA
from everlet.computes.temperatures.turning import Turning
from everlet.portable import Kernel, f64, i32, portable


@portable
def kinetic_of_sphere(i, v: f64[:, 3], omega: f64[:, 3], radius: f64[:], mass: f64[:], mask: i32[:], bit: i32, moves: f64,
                      turns: f64, free: f64, spins: f64):
    """m v_a v_b + I w_a w_b of one atom (xx yy zz xy xz yz), and its degrees of freedom: `free` to move, `spins` to turn."""
    m = 0.0
    inertia = 0.0
    dof = 0.0
    if mask[i] & bit:
        m = moves * mass[i]
        inertia = turns * mass[i] * radius[i] * radius[i]
        dof = free + (spins if radius[i] > 0.0 else 0.0)
    return (m * v[i, 0] * v[i, 0] + inertia * omega[i, 0] * omega[i, 0],
            m * v[i, 1] * v[i, 1] + inertia * omega[i, 1] * omega[i, 1],
            m * v[i, 2] * v[i, 2] + inertia * omega[i, 2] * omega[i, 2],
            m * v[i, 0] * v[i, 1] + inertia * omega[i, 0] * omega[i, 1],
            m * v[i, 0] * v[i, 2] + inertia * omega[i, 0] * omega[i, 2],
            m * v[i, 1] * v[i, 2] + inertia * omega[i, 1] * omega[i, 2], dof)


KINETIC = Kernel(kinetic_of_sphere, sums=7)


@compute_style("temp/sphere")
class TempSphere(Turning):
    """compute ID group temp/sphere [dof all|rotate]

    T = (sum m v^2 + sum I w^2) / (N_f k_B), I = 2/5 m R^2, N_f = 6 N - 3 (in two dimensions 3 N - 2; points do not turn);
    rotate: the second sum alone, N_f = 3 N. Vector: the tensor of both.
    """

    kind, size = "sphere", "radius"
    reads = ("v", "omega", "radius", "rmass", "mask")

    def degrees(self, count: float) -> float:
        """`count` are degrees of freedom already."""
        return max(count - self.extra - self.removed, 0.0)

    def kernels(self) -> list[Kernel]:
        return [KINETIC]

    def _arguments(self) -> tuple[Any, ...]:
        system, atoms, plane = self.system, self.system.atoms, self.system.dimension == 2
        return (system.space, atoms.n, KINETIC, atoms.view("v"), atoms.view("omega"), atoms.view("radius"), atoms.view("rmass"),
                atoms.view("mask"), self.bit, float(self.moves), INERTIA, float(system.dimension * self.moves),
                1.0 if plane else 3.0)

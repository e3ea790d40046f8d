"""The energy of ellipsoids that turn."""

from __future__ import annotations

from everlet.computes.base import OfKind, compute_style
from everlet.portable import Kernel, f64, i32, parallel_reduce, portable
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.rotations import body_rates, inertia_of


@portable
def turning_ellipsoid(i, angmom: f64[:, 3], quat: f64[:, 4], shape: f64[:, 3], mass: f64[:], mask: i32[:], bit: i32,
                      v: f64[:, 3], moves: f64):
    """I_k w_k^2 of an atom about its own axes (xx yy zz), I w_a w_b (xy xz yz as the reference has it), with m v_a v_b, and its
    count; points do not turn."""
    xx = 0.0
    yy = 0.0
    zz = 0.0
    xy = 0.0
    xz = 0.0
    yz = 0.0
    one = 0.0
    if mask[i] & bit:
        one = 1.0
        m = moves * mass[i]
        xx = m * v[i, 0] * v[i, 0]
        yy = m * v[i, 1] * v[i, 1]
        zz = m * v[i, 2] * v[i, 2]
        xy = m * v[i, 0] * v[i, 1]
        xz = m * v[i, 0] * v[i, 2]
        yz = m * v[i, 1] * v[i, 2]
        if shape[i, 0] > 0.0:
            i0, i1, i2 = inertia_of(mass[i], shape[i, 0], shape[i, 1], shape[i, 2])
            r, s, t = body_rates(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], i0, i1, i2, angmom[i, 0], angmom[i, 1],
                                 angmom[i, 2])
            xx += i0 * r * r
            yy += i1 * s * s
            zz += i2 * t * t
            xy += i0 * r * s
            xz += i1 * r * t
            yz += i2 * s * t
    return xx, yy, zz, xy, xz, yz, one


TURNING = Kernel(turning_ellipsoid, sums=7)


@compute_style("erotate/asphere")
class ERotateAsphere(OfKind):
    """compute ID group erotate/asphere: 1/2 sum I w^2 about the axes of ellipsoids, I_a = m (b^2 + c^2)/5, energy units."""

    name, needed = "erotate/asphere", "shape"
    gives = Gives(scalar=EXTENSIVE)
    reads = ("angmom", "quat", "shape", "rmass", "mask")

    def kernels(self) -> list[Kernel]:
        return [TURNING]

    def scalar(self) -> float:
        system, atoms = self.system, self.system.atoms
        sums = parallel_reduce(system.space, atoms.n, TURNING, atoms.view("angmom"), atoms.view("quat"), atoms.view("shape"),
                               atoms.view("rmass"), atoms.view("mask"), self.bit, atoms.view("v"), 0.0)
        return 0.5 * system.units.mvv2e * float(system.ranks.sum(sums)[:3].sum())

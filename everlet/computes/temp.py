"""Temperature and kinetic tensor of a group."""
# mypy: ignore-errors

from __future__ import annotations

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, integer
from everlet.portable import Kernel, f64, i32, parallel_reduce, portable


@portable
def kinetic(i, v: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, mass: f64[:]):
    """m v_a v_b of one atom (xx yy zz xy xz yz) and 1, or zeros if it is not in the group."""
    m = 0.0
    one = 0.0
    if mask[i] & bit:
        m = mass[kind[i]]
        one = 1.0
    return (m * v[i, 0] * v[i, 0], m * v[i, 1] * v[i, 1], m * v[i, 2] * v[i, 2], m * v[i, 0] * v[i, 1],
            m * v[i, 0] * v[i, 2], m * v[i, 1] * v[i, 2], one)


KINETIC = Kernel(kinetic, sums=7)


def kinetic_sums(system, bit):
    """Sums of m v_a v_b (xx yy zz xy xz yz) and the number of atoms of a group, kept for the present state."""
    atoms = system.atoms
    return system.ranks.sum(parallel_reduce(system.space, atoms.n, KINETIC, atoms.view("v"), atoms.view("type"),
                                            atoms.view("mask"), bit, system.masses_view()))


@compute_style("temp")
class Temp(Compute):
    """T = mvv2e sum m v^2 / (N_f k_B), N_f = dimension N - extra; vector: kinetic tensor. compute ID group temp"""

    extensive_vector = True

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        if args:
            raise InputError(f"compute temp takes no arguments, found '{args[0]}'", "usage: compute ID group temp")
        self.given_extra = None  # compute_modify extra/dof; otherwise the dimension

    def kernels(self):
        return [KINETIC]

    def modify(self, args):
        """compute_modify ID extra/dof N."""
        if len(args) != 2 or args[0] not in ("extra", "extra/dof"):
            raise InputError(f"compute temp cannot be modified by '{' '.join(args)}'", "use compute_modify ID extra/dof N")
        self.given_extra = integer(args[1])

    def sums(self):
        return kinetic_sums(self.system, self.bit)

    @property
    def extra(self):
        return self.system.dimension if self.given_extra is None else self.given_extra

    @property
    def dof(self):
        return self.degrees(self.sums()[6])

    def degrees(self, count):
        """Degrees of freedom of so many atoms."""
        return max(self.system.dimension * count - self.extra, 0)

    def scalar(self):
        sums = self.sums()
        degrees = self.degrees(sums[6])
        if degrees < 1:
            return 0.0
        return self.system.units.mvv2e * float(sums[0] + sums[1] + sums[2]) / (degrees * self.system.units.boltz)

    def vector(self):
        return self.system.units.mvv2e * self.sums()[:6]

"""The centre of mass of a group, with box crossings."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import no_arguments
from everlet.portable import Kernel, f64, i32, parallel_reduce, portable
from everlet.state.groups import Bit
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@portable
def moments(i, x: f64[:, 4], image: i32[:, 3], kind: i32[:], mask: i32[:], bit: i32, mass: f64[:], hx: f64, hy: f64, hz: f64,
            yz: f64, xz: f64, xy: f64):
    """m and m x of one atom, x unwrapped; zeros if it is not in the group."""
    m = 0.0
    if mask[i] & bit:
        m = mass[kind[i]]
    return (m, m * (x[i, 0] + hx * image[i, 0] + xy * image[i, 1] + xz * image[i, 2]),
            m * (x[i, 1] + hy * image[i, 1] + yz * image[i, 2]), m * (x[i, 2] + hz * image[i, 2]))


MOMENTS = Kernel(moments, sums=4)


def mass_and_centre(system: System, bit: Bit) -> tuple[float, np.ndarray]:
    """Mass and centre of mass of a group; without atoms 0 and the origin."""
    atoms = system.atoms
    sums = system.ranks.sum(parallel_reduce(
        system.space, atoms.n, MOMENTS, atoms.view("x"), atoms.view("image"), system.mass_kind(), atoms.view("mask"), bit,
        system.masses_view(), *system.need_box().h))
    return float(sums[0]), sums[1:] / sums[0] if sums[0] else sums[1:]


@compute_style("com")
class COM(Compute):
    """compute ID group com: sum m x / sum m, x unwrapped."""

    gives = Gives(vector=INTENSIVE, length=3)
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", "com")

    def kernels(self) -> list[Kernel]:
        return [MOMENTS]

    def vector(self) -> np.ndarray:
        return mass_and_centre(self.system, self.bit)[1]

"""A flow that is driven along x, in waves over z."""

from __future__ import annotations

import math

from everlet.errors import InputError, arguments, number
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, cos, f64, i32, local, parallel_for, portable
from everlet.state.system import System


@local
@portable
def wave(i, f: f64[:, 3], x: f64[:, 4], kind: i32[:], mass: f64[:], mask: i32[:], bit: i32, size: f64, per_length: f64,
         box: f64[:]):
    """F_x += m size cos(2 pi (z - z_lo) / L_z); per_length: 2 pi. Corners and edges of the box are its first numbers."""
    if mask[i] & bit:
        f[i, 0] += mass[kind[i]] * size * cos(per_length * (x[i, 2] - box[2]) / box[5])


WAVE = Kernel(wave)


@fix_style("accelerate/cos")
class AccelerateCos(ForceFix):
    """fix ID group accelerate/cos A: F_x += m A cos(2 pi (z - z_lo) / L_z), A an acceleration. Compute viscosity/cos measures
    the flow."""

    steady = True
    reads, writes = ("x", "f", "type", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "fix ID group accelerate/cos A")
        self.size = number(args[0], "an acceleration")
        if system.dimension == 2:
            raise InputError("fix accelerate/cos drives waves over z, in three dimensions", "use a box of three dimensions")

    def kernels(self) -> list[Kernel]:
        return [WAVE]

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, WAVE, atoms.view("f", modify=True), atoms.view("x"), system.mass_kind(),
                     system.masses_view(), atoms.view("mask"), self.bit, self.size * system.units.mvv2e, 2.0 * math.pi,
                     system.box_view())

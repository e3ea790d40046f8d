"""The temperature of spheres, with their turning."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.energies.erotate_sphere import INERTIA
from everlet.computes.temperatures.base import Temperature
from everlet.errors import InputError, arguments, one_of
from everlet.portable import Kernel, View, f64, i32, parallel_reduce, portable
from everlet.state.atom_styles import need_field
from everlet.state.system import System

USAGE = "compute ID group temp/sphere [dof all|rotate]"


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
class TempSphere(Temperature):
    """compute ID group temp/sphere [dof all|rotate]

    T = (sum m v^2 + sum I w^2) / (N_f k_B), I = 2/5 m R^2, N_f = 6 N - 3 (in two dimensions 3 N - 2; points do not turn);
    rotate: the second sum alone, N_f = 3 N. Vector: the tensor of both.
    """

    reads = ("v", "omega", "radius", "rmass", "mask")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 2, USAGE)
        if args:
            if args[0] == "bias":
                raise InputError("compute temp/sphere bias is not available", "leave it out")
            one_of("keyword of compute temp/sphere", args[0], ("dof",), f"usage: {USAGE}")
            arguments(args, 2, 2, USAGE)
            one_of("dof of compute temp/sphere", args[1], ("all", "rotate"))
        need_field(system.atoms, "radius", "compute temp/sphere")
        self.moves = args[1:] != ["rotate"]
        self.given_extra = None if self.moves else 0

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

    def sums(self) -> np.ndarray:
        return self.system.ranks.sum(parallel_reduce(*self._arguments()))

    def sums_into(self, view: View) -> bool:
        parallel_reduce(*self._arguments(), into=view)
        return True

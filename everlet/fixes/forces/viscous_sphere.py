"""Drag that slows the turning of spheres."""

from __future__ import annotations

import numpy as np

from everlet.errors import arguments, number, unknown
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.portable.views import Constants
from everlet.state.atom_styles import need_field
from everlet.state.system import System

USAGE = "fix ID group viscous/sphere GAMMA [scale TYPE RATIO] …"


@local
@portable
def brake_turning(i, torque: f64[:, 3], omega: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, gamma: f64[:]):
    """T -= gamma omega."""
    if mask[i] & bit:
        g = gamma[kind[i]]
        torque[i, 0] -= g * omega[i, 0]
        torque[i, 1] -= g * omega[i, 1]
        torque[i, 2] -= g * omega[i, 2]


@fix_style("viscous/sphere")
class ViscousSphere(ForceFix):
    """fix ID group viscous/sphere GAMMA [scale TYPE RATIO] …: torque -= GAMMA RATIO omega."""

    steady = True
    reads, writes = ("omega", "torque", "type", "mask"), ("torque",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        need_field(system.atoms, "radius", "fix viscous/sphere")
        gamma = np.full(system.ntypes + 1, number(args[0], "a damping coefficient"))
        for k in range(1, len(args), 3):
            if args[k] != "scale":
                raise unknown("keyword of fix viscous/sphere", args[k], ("scale",), f"usage: {USAGE}")
            arguments(args[k + 1 : k + 3], 2, 2, "scale TYPE RATIO")
            gamma[system.type_of(args[k + 1])] = number(args[0]) * number(args[k + 2], "a ratio")
        self.gamma = Constants(len(gamma), system.space)
        self.gamma.set(gamma)

    def kernels(self) -> list[Kernel]:
        return [Kernel(brake_turning)]

    def post_force(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, brake_turning, atoms.view("torque", modify=True), atoms.view("omega"),
                     atoms.view("type"), atoms.view("mask"), self.bit, self.gamma.view)

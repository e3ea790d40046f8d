"""Drag that grows with the velocity."""

from __future__ import annotations

import numpy as np

from everlet.errors import arguments, number, unknown
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.portable.views import Constants
from everlet.state.system import System


@local
@portable
def brake(i, f: f64[:, 3], v: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, gamma: f64[:]):
    """F -= gamma v."""
    if mask[i] & bit:
        g = gamma[kind[i]]
        f[i, 0] -= g * v[i, 0]
        f[i, 1] -= g * v[i, 1]
        f[i, 2] -= g * v[i, 2]


BRAKE = Kernel(brake)


@fix_style("viscous")
class Viscous(ForceFix):
    """fix ID group viscous GAMMA [scale TYPE RATIO] …: F -= GAMMA RATIO v."""

    steady = minimizes = True
    kind, slowed = "viscous", ("f", "v")
    reads, writes = ("v", "f", "type", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        usage = f"fix ID group {self.kind} GAMMA [scale TYPE RATIO] …"
        arguments(args, 1, None, usage)
        gamma = np.full(system.ntypes + 1, number(args[0], "a damping coefficient"))
        words = list(args[1:])
        while words:
            if words[0] != "scale":
                raise unknown(f"keyword of fix {self.kind}", words[0], ("scale",), f"usage: {usage}")
            arguments(words[1:3], 2, 2, "scale TYPE RATIO")
            gamma[system.type_of(words[1])] = number(args[0]) * number(words[2], "a ratio")
            words = words[3:]
        self.gamma = Constants(len(gamma), system.space)
        self.gamma.set(gamma)

    def kernels(self) -> list[Kernel]:
        return [BRAKE]

    def post_force(self) -> None:
        atoms = self.system.atoms
        force, rate = self.slowed
        parallel_for(self.system.space, atoms.n, BRAKE, atoms.view(force, modify=True), atoms.view(rate), atoms.view("type"),
                     atoms.view("mask"), self.bit, self.gamma.view)

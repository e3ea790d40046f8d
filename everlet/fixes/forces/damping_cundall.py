"""Damping of grains that goes by the size of forces."""

from __future__ import annotations

import numpy as np

from everlet.errors import arguments, number, unknown
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Constants, Kernel, f64, i32, i64, local, parallel_for, portable
from everlet.state.atom_styles import need_field
from everlet.state.system import System

USAGE = "fix ID group damping/cundall GAMMA_L GAMMA_A [scale TYPE RATIO] …"


@portable
def damped(i: i64, k: i64, f: f64[:, 3], v: f64[:, 3], g: f64):
    """A component of the force."""
    return f[i, k] * (1.0 - g if f[i, k] * v[i, k] >= 0.0 else 1.0 + g)


@local
@portable
def damp(i, f: f64[:, 3], v: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, gamma: f64[:]):
    if mask[i] & bit:
        g = gamma[kind[i]]
        x = damped(i, 0, f, v, g)
        y = damped(i, 1, f, v, g)
        z = damped(i, 2, f, v, g)
        f[i, 0] = x
        f[i, 1] = y
        f[i, 2] = z


DAMP = Kernel(damp)


@fix_style("damping/cundall")
class DampingCundall(ForceFix):
    """fix ID group damping/cundall GAMMA_L GAMMA_A [scale TYPE RATIO] …: each component of forces and torques of spheres is
    made smaller by a part of it where it speeds up, larger where it slows down: F_a -= GAMMA_L RATIO |F_a| sign(v_a), in
    the same way torques with GAMMA_A and omega. A component whose velocity is 0 is made smaller."""

    steady = True
    reads, writes = ("v", "f", "omega", "torque", "type", "mask"), ("f", "torque")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        need_field(system.atoms, "radius", "fix damping/cundall")
        ratio, words = np.ones(system.ntypes + 1), list(args[2:])
        while words:
            if words[0] != "scale":
                raise unknown("keyword of fix damping/cundall", words[0], ("scale",), f"usage: {USAGE}")
            arguments(words[1:3], 2, 2, "scale TYPE RATIO")
            ratio[system.type_of(words[1])] = number(words[2], "a ratio")
            words = words[3:]
        self.gammas = []
        for word in args[:2]:
            made = Constants(len(ratio), system.space)
            made.set(number(word, "a damping coefficient") * ratio)
            self.gammas.append(made)

    def kernels(self) -> list[Kernel]:
        return [DAMP]

    def post_force(self) -> None:
        atoms = self.system.atoms
        for force, rate, gamma in zip(("f", "torque"), ("v", "omega"), self.gammas, strict=True):
            parallel_for(self.system.space, atoms.n, DAMP, atoms.view(force, modify=True), atoms.view(rate), atoms.view("type"),
                         atoms.view("mask"), self.bit, gamma.view)

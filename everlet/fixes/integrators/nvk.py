"""Constant kinetic energy: Gauss's principle of least constraint."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.motion.rotation import Body
from everlet.errors import InputError
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nve import NVE, move_on
from everlet.portable import Kernel, View, f64, i32, local, parallel_for, parallel_reduce, portable
from everlet.portable.sums import ADD_UP
from everlet.state.system import System


@portable
def power(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], mass: f64[:], mask: i32[:], bit: i32):
    """F v and F^2/m of one atom."""
    a = 0.0
    b = 0.0
    if mask[i] & bit:
        a = f[i, 0] * v[i, 0] + f[i, 1] * v[i, 1] + f[i, 2] * v[i, 2]
        b = (f[i, 0] * f[i, 0] + f[i, 1] * f[i, 1] + f[i, 2] * f[i, 2]) / mass[kind[i]]
    return a, b


@local
@portable
def kick_and_slow(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], kind: i32[:], mass: f64[:], mask: i32[:], bit: i32, s: f64,
                  slow: f64, dt: f64):
    """v = (v + s F/m) slow; x += dt v."""
    if mask[i] & bit:
        k = s / mass[kind[i]]
        vx = (v[i, 0] + k * f[i, 0]) * slow
        vy = (v[i, 1] + k * f[i, 1]) * slow
        vz = (v[i, 2] + k * f[i, 2]) * slow
        move_on(i, x, v, vx, vy, vz, dt)


POWER, KICK = Kernel(power, sums=2), Kernel(kick_and_slow)


@fix_style("nvk")
class NVK(NVE):
    """fix ID group nvk: as fix nve, where half steps of velocities keep sum m v^2 = 2 K of when the run began:

    v = (v + s F/m) / s', s = a/b (cosh(h) - 1) + sinh(h)/sqrt(b), s' = ds/dt, h = sqrt(b) dt/2, a = sum F v / 2K,
    b = sum F^2/m / 2K (Minary, Martyna, Tuckerman, J. Chem. Phys. 118, 2510 (2003)). The host takes part in every step.
    """

    steady = False
    keeps = ("twice",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.sums = View(2, np.float64, system.space)
        self.twice = 0.0  # 2 K, in units of m v^2

    def kernels(self) -> list[Kernel]:
        return [POWER, KICK, ADD_UP]

    def setup(self) -> None:
        self.twice = Body(self.system, self.bit).kinetic()
        if self.twice <= 0.0:
            raise InputError(f"fix {self.id}: atoms of group {self.group} do not move", "give them velocities: fix nvk keeps "
                             "their kinetic energy")

    def resume(self) -> None:
        """The kinetic energy is that of the file."""

    def initial_integrate(self) -> None:
        self._half(self.system.dt)

    def final_integrate(self) -> None:
        self._half(0.0)

    def _half(self, dt: float) -> None:
        system, atoms = self.system, self.system.atoms
        own = system.mass_kind(), system.masses_view(), atoms.view("mask"), self.bit
        parallel_reduce(system.space, atoms.n, POWER, atoms.view("v"), atoms.view("f"), *own, into=self.sums)
        found, unit = system.ranks.sum(self.sums.get()) / self.twice, system.units.ftm2v
        a, b = float(found[0]) * unit, float(found[1]) * unit * unit
        half, root = 0.5 * system.dt, math.sqrt(b)
        s, rate = (half, 1.0) if not root else (
            a / b * (math.cosh(half * root) - 1.0) + math.sinh(half * root) / root,
            a / root * math.sinh(half * root) + math.cosh(half * root))
        parallel_for(system.space, atoms.n, KICK, atoms.view("x", modify=True), atoms.view("v", modify=True), atoms.view("f"),
                     *own, s * unit, 1.0 / rate, dt)

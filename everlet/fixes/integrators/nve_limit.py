"""Velocity Verlet with a largest step: for atoms that overlap."""
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.errors import above_zero, arguments
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.integrators.nve import Kicks
from everlet.portable import Kernel, View, f64, i32, parallel_reduce, portable, put_row, sqrt
from everlet.portable.sums import ADD_UP
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


@portable
def limited(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:], dt: f64,
            fastest2: f64):
    """v += dt/2 F/m, cut to the highest speed, and with MOVES x += dt v; 1 if it was cut."""
    cut = 0.0
    if mask[i] & bit:
        k = kick[kind[i]]
        vx = v[i, 0] + k * f[i, 0]
        vy = v[i, 1] + k * f[i, 1]
        vz = v[i, 2] + k * f[i, 2]
        v2 = vx * vx + vy * vy + vz * vz
        if v2 > fastest2:
            cut = 1.0
            s = sqrt(fastest2 / v2)
            vx *= s
            vy *= s
            vz *= s
        put_row(v, i, vx, vy, vz)
        if MOVES:
            x[i, 0] += dt * vx
            x[i, 1] += dt * vy
            x[i, 2] += dt * vz
    return cut


MOVE, KICK = (Kernel(limited, sums=1, statics=(("MOVES", moves),)) for moves in (1, 0))


@fix_style("nve/limit")
class NVELimit(Fix):
    """fix ID group nve/limit XMAX: as fix nve, but no atom is faster than XMAX / dt. f_ID: how often this cut a velocity,
    since the run began."""

    gives = Gives(scalar=EXTENSIVE)
    steady = integrates = True
    reads, writes = ("x", "v", "f", "type", "mask"), ("x", "v")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "fix ID group nve/limit XMAX")
        self.longest = above_zero(args[0], "longest step", "fix nve/limit", "0.1")
        self.kicks, self.cuts = Kicks(system), View(1, np.float64, system.space)

    def kernels(self) -> list[Kernel]:
        return [KICK, ADD_UP]

    def init(self) -> None:
        self.cuts.put([0.0])

    def _half(self, kernel: Kernel) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_reduce(system.space, atoms.n, kernel, atoms.view("x", modify=True), atoms.view("v", modify=True),
                        atoms.view("f"), system.mass_kind(), atoms.view("mask"), self.bit, self.kicks.by_mass(), system.dt,
                        (self.longest / system.dt) ** 2, into=self.cuts, add=True)

    def initial_integrate(self) -> None:
        self._half(MOVE)

    def final_integrate(self) -> None:
        self._half(KICK)

    def scalar(self) -> float:
        return float(self.over_ranks(self.cuts.get())[0])

"""Atoms that are drawn to a point by a force of constant size."""

from __future__ import annotations

import numpy as np

from everlet.errors import arguments, number
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, View, add_row, f64, i32, i64, parallel_reduce, portable
from everlet.portable.sums import ADD_UP
from everlet.state.images import from_point
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


@portable
def draw_in(i, f: f64[:, 3], x: f64[:, 4], mask: i32[:], bit: i32, free: i64, cx: f64, cy: f64, cz: f64, size: f64, near: f64,
            box: f64[:]):
    """The force on one atom, by the nearest image."""
    fx = 0.0
    fy = 0.0
    fz = 0.0
    if mask[i] & bit:
        dx, dy, dz, r = from_point(i, x, free, cx, cy, cz, box)
        if r > near:
            fx = -size / r * dx
            fy = -size / r * dy
            fz = -size / r * dz
            add_row(f, i, fx, fy, fz)
    return fx, fy, fz


DRAW_IN = Kernel(draw_in, sums=3)


@fix_style("drag")
class Drag(ForceFix):
    """fix ID group drag X Y Z FMAG DELTA: a force FMAG towards X Y Z (NULL: not along this axis) on atoms that are farther than
    DELTA. f_ID[1-3]: the sum of these forces."""

    steady = True
    gives = Gives(vector=EXTENSIVE, length=3)
    reads, writes = ("f", "x", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, 5, "fix ID group drag X Y Z FMAG DELTA")
        self.free = sum(1 << k for k, word in enumerate(args[:3]) if word == "NULL")
        self.point = [0.0 if word == "NULL" else number(word, "a coordinate") for word in args[:3]]
        self.size, self.near = number(args[3], "a force"), number(args[4], "a distance")
        self.sums = View(3, np.float64, system.space)

    def kernels(self) -> list[Kernel]:
        return [DRAW_IN, ADD_UP]

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_reduce(system.space, atoms.n, DRAW_IN, atoms.view("f", modify=True), atoms.view("x"), atoms.view("mask"),
                        self.bit, self.free, *self.point, self.size, self.near, system.box_view(), into=self.sums)

    def vector(self) -> np.ndarray:
        return self.over_ranks(self.sums.get())

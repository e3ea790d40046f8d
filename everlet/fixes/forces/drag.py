"""Atoms that are drawn to a point by a force of constant size."""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from everlet.errors import arguments, number
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Constants, Kernel, View, f64, i32, i64, parallel_reduce, portable, sqrt
from everlet.portable.sums import ADD_UP
from everlet.state.operation import EXTENSIVE, Gives


@portable
def folded(d: f64, edge: f64, periodic: i64):
    """The image of a distance that is nearest to 0."""
    if periodic:
        while d > 0.5 * edge:
            d -= edge
        while d < -0.5 * edge:
            d += edge
    return d


@portable
def nearest(dx: f64, dy: f64, dz: f64, xx: f64, yy: f64, zz: f64, yz: f64, xz: f64, xy: f64, periodic: i64):
    """The image of a vector that is nearest to 0: edges, and a bit for each periodic axis."""
    if periodic & 4:
        while dz > 0.5 * zz:
            dz -= zz
            dy -= yz
            dx -= xz
        while dz < -0.5 * zz:
            dz += zz
            dy += yz
            dx += xz
    if periodic & 2:
        while dy > 0.5 * yy:
            dy -= yy
            dx -= xy
        while dy < -0.5 * yy:
            dy += yy
            dx += xy
    return folded(dx, xx, periodic & 1), dy, dz


@portable
def draw_in(i, f: f64[:, 3], x: f64[:, 4], mask: i32[:], bit: i32, free: i64, cx: f64, cy: f64, cz: f64, size: f64, near: f64,
            h: f64[:], periodic: i64):
    """The force on one atom, by the nearest image; h: edges xx yy zz yz xz xy."""
    fx = 0.0
    fy = 0.0
    fz = 0.0
    if mask[i] & bit:
        dx = 0.0 if free & 1 else x[i, 0] - cx
        dy = 0.0 if free & 2 else x[i, 1] - cy
        dz = 0.0 if free & 4 else x[i, 2] - cz
        dx, dy, dz = nearest(dx, dy, dz, h[0], h[1], h[2], h[3], h[4], h[5], periodic)
        r = sqrt(dx * dx + dy * dy + dz * dz)
        if r > near:
            fx = -size / r * dx
            fy = -size / r * dy
            fz = -size / r * dz
            f[i, 0] += fx
            f[i, 1] += fy
            f[i, 2] += fz
    return fx, fy, fz


DRAW_IN = Kernel(draw_in, sums=3)


@fix_style("drag")
class Drag(Fix):
    """fix ID group drag X Y Z FMAG DELTA: a force FMAG towards X Y Z (NULL: not along this axis) on atoms that are farther than
    DELTA. f_ID[1-3]: the sum of these forces."""

    steady = True
    gives = Gives(vector=EXTENSIVE, length=3)
    reads, writes = ("f", "x", "mask"), ("f",)

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        arguments(args, 5, 5, "fix ID group drag X Y Z FMAG DELTA")
        self.free = sum(1 << k for k, word in enumerate(args[:3]) if word == "NULL")
        self.point = [0.0 if word == "NULL" else number(word, "a coordinate") for word in args[:3]]
        self.size, self.near = number(args[3], "a force"), number(args[4], "a distance")
        self.sums, self.edges = View(3, np.float64, system.space), Constants(6, system.space)

    def kernels(self):
        return [DRAW_IN, ADD_UP]

    def setup(self):
        self.post_force()

    def post_force(self):
        system, atoms, box = self.system, self.system.atoms, self.system.need_box()
        self.edges.set(box.h)
        periodic = sum(1 << k for k, on in enumerate(box.periodic) if on)
        parallel_reduce(system.space, atoms.n, DRAW_IN, atoms.view("f", modify=True), atoms.view("x"), atoms.view("mask"),
                        self.bit, self.free, *self.point, self.size, self.near, self.edges.view, periodic, into=self.sums)

    def vector(self):
        return self.over_ranks(self.sums.get())

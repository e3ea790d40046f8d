"""A spring that holds the radius of gyration of a group."""

from __future__ import annotations

import math

from everlet.computes.motion.com import MOMENTS, mass_and_centre
from everlet.errors import InputError, arguments, number
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, parallel_reduce, portable
from everlet.state.images import unwrap
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@portable
def second_moment(i, x: f64[:, 4], image: i32[:, 3], kind: i32[:], mass: f64[:], mask: i32[:], bit: i32, cx: f64, cy: f64,
                  cz: f64, box: f64[:]):
    """m d^2 of one atom, d from c."""
    found = 0.0
    if mask[i] & bit:
        px, py, pz = unwrap(i, x, image, box)
        found = mass[kind[i]] * ((px - cx) * (px - cx) + (py - cy) * (py - cy) + (pz - cz) * (pz - cz))
    return found


@local
@portable
def draw_together(i, f: f64[:, 3], x: f64[:, 4], image: i32[:, 3], kind: i32[:], mass: f64[:], mask: i32[:], bit: i32,
                  cx: f64, cy: f64, cz: f64, box: f64[:], strength: f64):
    """F -= strength m d."""
    if mask[i] & bit:
        px, py, pz = unwrap(i, x, image, box)
        pull = strength * mass[kind[i]]
        f[i, 0] -= pull * (px - cx)
        f[i, 1] -= pull * (py - cy)
        f[i, 2] -= pull * (pz - cz)


SECOND_MOMENT, DRAW_TOGETHER = Kernel(second_moment, sums=1), Kernel(draw_together)


@fix_style("spring/rg")
class SpringRg(ForceFix):
    """fix ID group spring/rg K RG0: E = K (Rg - RG0)^2, Rg^2 = sum m d^2 / sum m, d from the centre of mass (unwrapped).
    NULL for RG0: that of the first run. f_ID: RG0."""

    minimizes = True
    gives = Gives(scalar=INTENSIVE)
    reads, writes = ("f", "x", "image", "mask", "type"), ("f",)
    keeps = ("rest",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, 2, "fix ID group spring/rg K RG0|NULL")
        self.k = number(args[0], "a spring constant")
        self.rest = -1.0 if args[1] == "NULL" else number(args[1], "a radius of gyration")
        if args[1] != "NULL" and self.rest < 0.0:
            raise InputError(f"fix {id}: a radius of gyration of {args[1]}", "RG0 is 0 or more, or NULL")

    def scalar(self) -> float:
        """Before the first run there is none yet: 0."""
        return max(self.rest, 0.0)

    def kernels(self) -> list[Kernel]:
        return [SECOND_MOMENT, DRAW_TOGETHER, MOMENTS]

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        mass, centre = mass_and_centre(system, self.bit)
        given = (atoms.view("x"), atoms.view("image"), system.mass_kind(), system.masses_view(), atoms.view("mask"), self.bit,
                 *centre.tolist(), system.box_view())
        found = float(system.ranks.sum(parallel_reduce(system.space, atoms.n, SECOND_MOMENT, *given))[0])
        radius = math.sqrt(found / mass) if mass else 0.0
        if self.rest < 0.0:
            self.rest = radius
        if radius:
            parallel_for(system.space, atoms.n, DRAW_TOGETHER, atoms.view("f", modify=True), *given,
                         2.0 * self.k * (1.0 - self.rest / radius) / mass)

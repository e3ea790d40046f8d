"""Springs between atoms and where they were."""
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, arguments, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.ramp import Ramp
from everlet.portable import Kernel, View, f64, i32, parallel_reduce, portable
from everlet.portable.sums import ADD_UP
from everlet.state.continuing import GROUP
from everlet.state.images import way_from
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

AXES = ("xyz", "xy", "xz", "yz", "x", "y", "z")


@portable
def pull_back(i, f: f64[:, 3], x: f64[:, 4], image: i32[:, 3], origin: f64[:, 3], mask: i32[:], bit: i32, kx: f64, ky: f64,
              kz: f64, box: f64[:], each: f64[:]):
    """F = -K d of one atom, d since it was defined; its energy. EACH 1: K times each[i]."""
    if EACH:
        kx *= each[i]
        ky *= each[i]
        kz *= each[i]
    dx, dy, dz = way_from(i, x, image, origin, box)
    e = 0.0
    if mask[i] & bit:
        f[i, 0] -= kx * dx
        f[i, 1] -= ky * dy
        f[i, 2] -= kz * dz
        e = 0.5 * (kx * dx * dx + ky * dy * dy + kz * dz * dz)
    return e


PULL_BACK, PULL_EACH = (Kernel(pull_back, sums=1, statics=(("EACH", each),)) for each in (0, 1))


@fix_style("spring/self")
class SpringSelf(ForceFix):
    """fix ID group spring/self K|v_NAME [xyz|xy|xz|yz|x|y|z]: E = sum K/2 d^2, d the way of an atom (unwrapped) since the
    definition; v_NAME: an equal- or atom-style variable.

    f_ID: E.
    """

    gives = Gives(scalar=EXTENSIVE)
    must_match = (GROUP,)  # where atoms are tied to
    steady = has_energy = minimizes = True
    reads, writes = ("f", "x", "image", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 2, "fix ID group spring/self K|v_NAME [xyz|xy|xz|yz|x|y|z]")
        self.k = Ramp(system, args[0], "0" if args[0].startswith("v_") else args[0], "a spring constant", each=True)
        if not self.k.variable and self.k.start <= 0:
            raise InputError(f"fix spring/self: K must be above zero, found {args[0]}", "correct it")
        axes = args[1] if len(args) > 1 else "xyz"
        one_of("axes of fix spring/self", axes, AXES)
        self.flags = np.array([float(axis in axes) for axis in "xyz"])
        system.need_box()
        if not self.add_field("origin", width=3):
            system.atoms.edit(self.field("origin"))[:] = unwrapped(system)
        self.each = View(1, np.float64, system.space)
        self.sums = View(1, np.float64, system.space)

    def new_atoms(self, rows: np.ndarray) -> None:
        self.system.atoms.edit(self.field("origin"))[rows] = unwrapped(self.system)[rows]

    def kernels(self) -> list[Kernel]:
        return [PULL_EACH if self.k.each else PULL_BACK, ADD_UP]

    def needs(self, step: int) -> tuple[str, ...]:
        return self.k.needs(step)

    def init(self) -> None:
        self.k.init()

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        if self.k.each:
            if self.each.shape[0] < atoms.n:
                self.each = View(atoms.capacity, np.float64, system.space)
            self.each.put(np.concatenate([self.k.of_atoms(), np.zeros(self.each.shape[0] - atoms.n)]))
        constants = (self.k.arguments()[0] * self.flags).tolist()
        parallel_reduce(system.space, atoms.n, self.kernels()[0], atoms.view("f", modify=True), atoms.view("x"),
                        atoms.view("image"), atoms.view(self.field("origin")), atoms.view("mask"), self.bit, *constants,
                        system.box_view(), self.each, into=self.sums)

    def scalar(self) -> float:
        return float(self.over_ranks(self.sums.get())[0])

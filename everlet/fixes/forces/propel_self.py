"""A force of atoms on themselves, along a direction of their own."""
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.given_force import virials
from everlet.portable import Constants, Kernel, View, add_row, f64, i32, parallel_reduce, portable, sqrt
from everlet.portable.sums import ADD_UP
from everlet.state.atom_styles import need_field
from everlet.state.images import unwrap
from everlet.state.rotations import axes_of
from everlet.state.system import System

FIELDS = {"dipole": "mu", "velocity": "v", "quat": "quat"}
USAGE = "fix ID group propel/self dipole|velocity|quat F [qvector SX SY SZ]"


@portable
def along(i, fx: f64, fy: f64, fz: f64, f: f64[:, 3], x: f64[:, 4], image: i32[:, 3], box: f64[:]):
    """A force is added; its virial xx yy zz xy xz yz, of unwrapped positions."""
    px, py, pz = unwrap(i, x, image, box)
    add_row(f, i, fx, fy, fz)
    return fx * px, fy * py, fz * pz, fx * py, fx * pz, fy * pz


@portable
def along_vector(i, f: f64[:, 3], x: f64[:, 4], image: i32[:, 3], way: f64[:, 3], mask: i32[:], bit: i32, given: f64[:],
                 box: f64[:]):
    """Along a vector of the atom; UNIT: of length one. given: the size of the force."""
    size = 0.0
    if mask[i] & bit:
        size = given[0]
        if UNIT:
            length = way[i, 0] * way[i, 0] + way[i, 1] * way[i, 1] + way[i, 2] * way[i, 2]
            size = size / sqrt(length) if length > 0.0 else 0.0
    return along(i, size * way[i, 0], size * way[i, 1], size * way[i, 2], f, x, image, box)


@portable
def along_body(i, f: f64[:, 3], x: f64[:, 4], image: i32[:, 3], quat: f64[:, 4], mask: i32[:], bit: i32, given: f64[:],
               box: f64[:]):
    """Along a direction in the frame of the body. given: the size of the force, the direction (3)."""
    size = given[0] if mask[i] & bit else 0.0
    ax, ay, az, bx, by, bz, cx, cy, cz = axes_of(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3])
    fx = size * (given[1] * ax + given[2] * bx + given[3] * cx)
    fy = size * (given[1] * ay + given[2] * by + given[3] * cy)
    fz = size * (given[1] * az + given[2] * bz + given[3] * cz)
    return along(i, fx, fy, fz, f, x, image, box)


KERNELS = {"dipole": Kernel(along_vector, sums=6, statics=(("UNIT", False),)),
           "velocity": Kernel(along_vector, sums=6, statics=(("UNIT", True),)), "quat": Kernel(along_body, sums=6)}


@fix_style("propel/self")
class PropelSelf(ForceFix):
    """fix ID group propel/self dipole|velocity|quat F [qvector SX SY SZ]: a force F e; e is the dipole, the direction of the
    velocity, or the direction SX SY SZ (1 0 0) in the frame of an ellipsoid. Its virial, sum F e x with x unwrapped, counts
    unless `fix_modify ID virial no` says otherwise; that of `velocity` only with `virial yes`."""

    steady = has_virial = True
    reads: tuple[str, ...] = ("f", "x", "image", "mask")
    writes = ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        self.way = one_of("direction of fix propel/self", args[0], FIELDS, f"usage: {USAGE}")
        size, words = number(args[1], "a force"), args[2:]
        if words and (self.way != "quat" or words[0] != "qvector" or len(words) != 4):
            raise InputError(f"fix {id} propel/self {self.way}: '{' '.join(words)}' is not known or lacks numbers",
                             f"usage: {USAGE}")
        self.field_name = FIELDS[self.way]
        if self.way != "velocity":
            need_field(system.atoms, self.field_name, f"fix {id} propel/self {self.way}")
        direction = np.array([number(word, "a component of a direction") for word in words[1:]] or [1.0, 0.0, 0.0])
        length = float(np.sqrt(direction @ direction))
        if length == 0.0:
            raise InputError(f"fix {id} propel/self quat has no direction", "give three numbers that are not all zero")
        self.reads = (*self.reads, self.field_name)
        self.virial_on = self.way != "velocity"
        self.numbers = np.array([size, *(direction / length)])
        self.given, self.sums = Constants(4, system.space), View(6, np.float64, system.space)
        self.given.set(self.numbers)

    def kernels(self) -> list[Kernel]:
        return [KERNELS[self.way], ADD_UP]

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_reduce(system.space, atoms.n, KERNELS[self.way], atoms.view("f", modify=True), atoms.view("x"),
                        atoms.view("image"), atoms.view(self.field_name), atoms.view("mask"), self.bit, self.given.view,
                        system.box_view(), into=self.sums)

    def atom_virials(self) -> Any:
        """Of directions that are as they were when forces were made."""
        atoms = self.system.atoms
        if self.way == "velocity":
            return super().atom_virials()
        way = np.array(atoms.read(self.field_name), float)
        if self.way == "quat":
            frames = np.stack(axes_of(*way.T), axis=1).reshape(-1, 3, 3)
            way = np.einsum("k,nkd->nd", self.numbers[1:], frames)
        meant = (atoms.read("mask") & self.bit) != 0
        return virials(self.numbers[0] * way * meant[:, None], unwrapped(self.system))

    def virial_now(self) -> Any:
        return self.over_ranks(self.sums.get())

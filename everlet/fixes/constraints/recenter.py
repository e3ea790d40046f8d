"""A centre of mass that is held in its place by moving atoms."""

from __future__ import annotations

import numpy as np

from everlet.computes.motion.com import MOMENTS, mass_and_centre
from everlet.errors import InputError, arguments, number, one_of, unknown
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group recenter X Y Z [shift GROUP] [units lattice|box|fraction]"


@local
@portable
def shift_atom(i, x: f64[:, 4], mask: i32[:], bit: i32, dx: f64, dy: f64, dz: f64):
    if mask[i] & bit:
        x[i, 0] += dx
        x[i, 1] += dy
        x[i, 2] += dz


SHIFT = Kernel(shift_atom)


@fix_style("recenter")
class Recenter(Fix):
    """fix ID group recenter X Y Z [shift GROUP] [units lattice|box|fraction]: after atoms have moved, those of GROUP (default:
    the same) are shifted so that the centre of mass of the group is at X Y Z: numbers, INIT (as when the run began) or NULL.

    f_ID: the distance of the last shift; f_ID[1-3]: its components.
    """

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=3)
    reads, writes = ("x", "image", "mask", "type"), ("x",)
    keeps = ("start",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, None, USAGE)
        self.words, self.moved, units = args[:3], self.bit, "lattice"
        for word, value in zip(args[3::2], [*args[4::2], ""], strict=False):
            if word == "shift":
                self.moved = system.groups.bit(value)
            elif word == "units":
                units = value
                one_of("units of fix recenter", value, ("lattice", "box", "fraction"))
            else:
                raise unknown("keyword of fix recenter", word, ("shift", "units"), f"usage: {USAGE}")
        self.fraction = units == "fraction"
        scales = np.ones(3)
        if units == "lattice" and any(word not in ("NULL", "INIT") for word in self.words):
            scales = system.lattice.spacing if system.lattice is not None else scales
        self.point = np.array([0.0 if word in ("NULL", "INIT") else scale * number(word, "a coordinate")
                               for word, scale in zip(self.words, scales, strict=True)])
        self.start, self.shift = np.zeros(3), np.zeros(3)

    def kernels(self) -> list[Kernel]:
        return [SHIFT, MOMENTS]

    def init(self) -> None:
        fixes = list(self.system.fixes.values())
        later = [fix.id for fix in fixes[fixes.index(self) + 1:] if fix.integrates]
        if later:
            raise InputError(f"fix recenter {self.id} comes before fix {later[0]}, which moves atoms", "define it last")

    def setup(self) -> None:
        mass, self.start = mass_and_centre(self.system, self.bit)
        if not mass:
            raise InputError(f"fix recenter: group {self.group} has no atoms", "a centre of mass needs some")

    def resume(self) -> None:
        """INIT is where the centre was when the run began."""

    def initial_integrate(self) -> None:
        system, atoms, box = self.system, self.system.atoms, self.system.need_box()
        target = self.point
        if self.fraction:
            low, high = box.bounds()
            target = np.array(low) + self.point * (np.array(high) - np.array(low))
        target = np.where([word == "INIT" for word in self.words], self.start, target)
        centre = mass_and_centre(system, self.bit)[1]
        self.shift = np.where([word == "NULL" for word in self.words], 0.0, target - centre)
        parallel_for(system.space, atoms.n, SHIFT, atoms.view("x", modify=True), atoms.view("mask"), self.moved,
                     *self.shift.tolist())

    def scalar(self) -> float:
        return float(np.sqrt((self.shift**2).sum()))

    def vector(self) -> np.ndarray:
        return self.shift

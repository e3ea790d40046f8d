"""Forces that are kept to a line, or to a plane (planeforce.py)."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, f64, i32, i64, local, parallel_for, portable, put_row
from everlet.state.system import System


@local
@portable
def keep_part(i, f: f64[:, 3], mask: i32[:], bit: i32, plane: i64, ax: f64, ay: f64, az: f64):
    """The part of a force along the unit vector a stays, or with `plane` all but that."""
    if mask[i] & bit:
        part = f[i, 0] * ax + f[i, 1] * ay + f[i, 2] * az
        if plane:
            f[i, 0] -= part * ax
            f[i, 1] -= part * ay
            f[i, 2] -= part * az
        else:
            put_row(f, i, part * ax, part * ay, part * az)


KEEP_PART = Kernel(keep_part)


@fix_style("lineforce")
class LineForce(ForceFix):
    """fix ID group lineforce X Y Z: F = (F a) a, a the unit vector along X Y Z. No force moves atoms off a line."""

    steady = minimizes = True
    reads, writes = ("f", "mask"), ("f",)
    plane = 0
    levels = "every"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, f"fix ID group {'planeforce' if self.plane else 'lineforce'} X Y Z")
        given = np.array([number(word, "a component of a direction") for word in args])
        length = float(np.sqrt((given**2).sum()))
        if not length:
            raise InputError(f"fix {id}: the direction 0 0 0", "give one that is not zero")
        self.direction = (given / length).tolist()

    def kernels(self) -> list[Kernel]:
        return [KEEP_PART]

    def post_force(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, KEEP_PART, atoms.view("f", modify=True), atoms.view("mask"), self.bit,
                     self.plane, *self.direction)

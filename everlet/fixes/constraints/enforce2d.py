"""Two dimensions: nothing moves along z."""

from __future__ import annotations

from everlet.errors import InputError, arguments
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.state.system import System


@local
@portable
def flatten(i, v: f64[:, 3], f: f64[:, 3], mask: i32[:], bit: i32):
    if mask[i] & bit:
        v[i, 2] = 0.0
        f[i, 2] = 0.0


FLATTEN = Kernel(flatten)


@fix_style("enforce2d")
class Enforce2d(ForceFix):
    """fix ID group enforce2d: v_z = F_z = 0 after forces are computed; it must come after fixes that change forces."""

    steady = minimizes = True
    reads, writes = ("v", "f", "mask"), ("v", "f")
    levels = "every"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "fix ID group enforce2d")
        if system.dimension != 2:
            raise InputError("fix enforce2d in three dimensions", "use dimension 2, or leave it out")

    def kernels(self) -> list[Kernel]:
        return [FLATTEN]

    def post_force(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, FLATTEN, atoms.view("v", modify=True), atoms.view("f", modify=True),
                     atoms.view("mask"), self.bit)

"""Atoms that forces do not move."""

from __future__ import annotations

from everlet.errors import arguments
from everlet.fixes.base import fix_style
from everlet.fixes.forces.setforce import SetForce
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable, put_row
from everlet.state.system import System


@local
@portable
def still(i, torque: f64[:, 3], mask: i32[:], bit: i32):
    if mask[i] & bit:
        put_row(torque, i, 0.0, 0.0, 0.0)


@fix_style("freeze")
class Freeze(SetForce):
    """fix ID group freeze: F = 0, and no torque; grains that touch each other only if one of them is not frozen. f_ID[1-3]: the
    sum of the forces before."""

    minimizes = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 0, 0, "fix ID group freeze")
        super().__init__(system, id, group, ["0", "0", "0"])

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), *([Kernel(still)] if "torque" in self.system.atoms.fields else [])]

    def post_force(self) -> None:
        super().post_force()
        atoms = self.system.atoms
        if "torque" in atoms.fields:
            parallel_for(self.system.space, atoms.n, still, atoms.view("torque", modify=True), atoms.view("mask"), self.bit)

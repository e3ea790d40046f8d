"""Forces that are kept as they are between two fixes."""

from __future__ import annotations

import numpy as np

from everlet.errors import no_arguments
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable, put_row
from everlet.state.operation import Gives
from everlet.state.system import System


@local
@portable
def keep_force(i, f: f64[:, 3], mask: i32[:], bit: i32, kept: f64[:, 3]):
    one = 1.0 if mask[i] & bit else 0.0
    put_row(kept, i, one * f[i, 0], one * f[i, 1], one * f[i, 2])


KEEP = Kernel(keep_force)


@fix_style("store/force")
class StoreForce(ForceFix):
    """fix ID group store/force: f_ID[1-3] of atoms are forces before the fixes that are defined after this one have changed
    them; 0 for atoms that are not in the group."""

    gives = Gives(columns=3)
    steady = minimizes = True
    reads = ("f", "mask")
    levels = ""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "fix", "store/force")
        self.add_field("kept", width=3)

    def kernels(self) -> list[Kernel]:
        return [KEEP]

    def post_force(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, KEEP, atoms.view("f"), atoms.view("mask"), self.bit,
                     atoms.view(self.field("kept"), modify=True))

    def peratom(self) -> np.ndarray:
        return self.system.atoms.read(self.field("kept"))

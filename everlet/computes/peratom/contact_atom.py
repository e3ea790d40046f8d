"""How many others each grain touches."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.nearby import Nearby
from everlet.errors import arguments
from everlet.forces.pair.rows import between
from everlet.neighbor.surroundings import surroundings
from everlet.portable import Kernel, f64, i32, i64, parallel_for, portable
from everlet.state.atom_styles import need_field
from everlet.state.operation import Gives
from everlet.state.system import System


@portable
def count_touching(i, x: f64[:, 4], kind: i32[:], mask: i32[:], neigh: i32[:], count: i32[:], si: i64, sk: i64, out: f64[:],
                   bit: i32, others: i32, radius: f64[:]):
    """Neighbours of grain i in the group `others` that are not farther than the sum of radii."""
    for q in range(i64(count[i]) if mask[i] & bit else i64(0)):
        j = i64(neigh[i * si + q * sk])
        _, _, _, r2 = between(i, j, x)
        reach = radius[i] + radius[j]
        if r2 <= reach * reach and mask[j] & others:
            out[i] += 1.0


@compute_style("contact/atom")
class ContactAtom(Nearby):
    """compute ID group contact/atom [GROUP2]: how many grains of GROUP2 each grain touches; walls do not count."""

    gives = Gives(columns=0)
    body = count_touching

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 1, "compute ID group contact/atom [GROUP2]")
        need_field(system.atoms, "radius", "compute contact/atom")
        self.others = system.groups.bit(args[0] if args else "all")

    def kernels(self) -> list[Kernel]:
        return [self.kernel]

    def peratom(self) -> np.ndarray:
        system = self.system
        largest = float(system.ranks.max([float(system.atoms.read("radius").max(initial=0.0))])[0])
        self.cutoff = 2.0 * largest
        near, n = surroundings(system, self.cutoff, self.special), system.atoms.n
        out = self.out(max(n, 1))
        parallel_for(system.space, near.n, self.kernel, *near.rows(), out, self.bit, self.others,
                     near.system.atoms.view("radius"))
        return out.get()[:n]

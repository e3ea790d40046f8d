"""How many neighbours each atom has.

    compute ID group coord/atom cutoff R [group ID2] [TYPES …]     within R, of ID2; for each TYPES (2, *, 1*3) a column
    compute ID group coord/atom orientorder ORDER-ID THRESHOLD     neighbours with a like arrangement of their own neighbours
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.nearby import Nearby
from everlet.computes.peratom.near_points import Spread, pairs_within
from everlet.computes.peratom.orientorder_atom import OrientOrderAtom
from everlet.errors import InputError, arguments, number, one_of
from everlet.forces.pair.rows import between
from everlet.neighbor.surroundings import surroundings
from everlet.portable import Constants, f64, i32, i64, portable
from everlet.state.operation import Gives
from everlet.state.system import System

STYLES = ("cutoff", "orientorder")
USAGE = "compute ID group coord/atom cutoff R [group ID2] [TYPES ...] | orientorder ORDER-ID THRESHOLD"


@portable
def count_near(i, x: f64[:, 4], kind: i32[:], mask: i32[:], neigh: i32[:], count: i32[:], si: i64, sk: i64, out: f64[:],
               bit: i32, others: i32, cut2: f64, columns: i64, types: i32[:]):
    """Neighbours of atom i in the group `others`, of the types types[2 * c] … types[2 * c + 1], for each column c."""
    for q in range(i64(count[i]) if mask[i] & bit else i64(0)):
        j = i64(neigh[i * si + q * sk])
        _, _, _, r2 = between(i, j, x)
        if r2 < cut2 and mask[j] & others:
            for c in range(columns):
                if kind[j] >= types[2 * c] and kind[j] <= types[2 * c + 1]:
                    out[i * columns + c] += 1.0


class WithinCutoff(Nearby):
    body = count_near

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words = list(args[2:])
        self.cutoff, self.others = number(args[1], "a cutoff"), system.groups.bit("all")
        if words[:1] == ["group"]:
            arguments(words, 2, None, USAGE)
            self.others, words = system.groups.bit(words[1]), words[2:]
        ranges = [system.type_range(word) for word in words or ["*"]]
        self.types, self.columns = [end for one in ranges for end in (one[0], one[-1])], len(ranges)
        self.gives = Gives(columns=self.columns if self.columns > 1 else 0)
        self.limits = Constants(2 * self.columns, system.space, "int32")
        self.limits.set(self.types)

    def peratom(self) -> np.ndarray:
        return self.of_atoms(self.columns, self.bit, self.others, self.cutoff**2, self.columns, self.limits.view)


class AlikeArranged(Compute):
    """Neighbours j within the cutoff of the compute orientorder/atom whose components q_m have Re sum q_m(i) q_m(j)* above the
    threshold."""

    gives = Gives(columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, USAGE)
        self.order_id, self.threshold = args[1], number(args[2], "a threshold")
        if not -1.0 <= self.threshold <= 1.0:
            raise InputError(f"compute coord/atom: a threshold of {args[2]}", "give a number from -1 to 1")
        self.spread = Spread(self)
        self.order()

    def order(self) -> OrientOrderAtom:
        """The compute that knows the arrangement."""
        found = self.system.computes.get(self.order_id)
        if not isinstance(found, OrientOrderAtom):
            raise InputError(f"compute {self.id}: '{self.order_id}' is no compute orientorder/atom", "define one before it")
        if not found.shown:
            raise InputError(f"compute {self.id}: compute {self.order_id} has no components", "give it: components L")
        return found

    def peratom(self) -> np.ndarray:
        order = self.order()
        parts = order.peratom()[:, -2 * (2 * order.shown + 1):]
        near = surroundings(self.system, order.reach(), "unlisted")
        rows, i, j, _ = pairs_within(near, int(self.bit), order.reach())
        products = np.zeros(len(i))
        for column in parts.T:
            whole = self.spread(near, column)
            products += whole[i] * whole[j]
        return np.bincount(i[products > self.threshold], minlength=near.n).astype(float)


@compute_style("coord/atom")
class CoordAtom(Compute):
    """One of the two."""

    def __new__(cls, system: System, id: str, group: str, args: list[str]) -> Compute:  # type: ignore[misc]  # of either class
        arguments(args, 2, None, USAGE)
        one_of("way to count neighbours of compute coord/atom", args[0], STYLES)
        return (WithinCutoff if args[0] == "cutoff" else AlikeArranged)(system, id, group, args)

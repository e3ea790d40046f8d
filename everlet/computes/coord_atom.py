"""How many neighbours each atom has.

    compute ID group coord/atom cutoff R [TYPES …]      within R; for each TYPES (2, *, 1*3) a column, without any: all types
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.computes.base import compute_style
from everlet.computes.nearby import Nearby
from everlet.errors import InputError, arguments, number, unknown
from everlet.portable import Constants, f64, i32, i64, portable
from everlet.state.operation import Gives


@portable
def count_near(i, x: f64[:, 4], kind: i32[:], mask: i32[:], neigh: i32[:], count: i32[:], si: i64, sk: i64, out: f64[:],
               bit: i32, cut2: f64, columns: i64, types: i32[:]):
    """Neighbours of atom i of the types types[2 * c] … types[2 * c + 1], for each column c."""
    for q in range(i64(count[i]) if mask[i] & bit else i64(0)):
        j = i64(neigh[i * si + q * sk])
        dx = x[i, 0] - x[j, 0]
        dy = x[i, 1] - x[j, 1]
        dz = x[i, 2] - x[j, 2]
        if dx * dx + dy * dy + dz * dz < cut2:
            for c in range(columns):
                if kind[j] >= types[2 * c] and kind[j] <= types[2 * c + 1]:
                    out[i * columns + c] += 1.0


@compute_style("coord/atom")
class CoordAtom(Nearby):
    body = count_near

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, "compute ID group coord/atom cutoff R [TYPES ...]")
        if args[0] != "cutoff":
            raise unknown("way to count neighbours of compute coord/atom", args[0], ("cutoff",))
        if "group" in args:
            raise InputError("compute coord/atom: group is not available", "name types instead")
        self.cutoff = number(args[1], "a cutoff")
        ranges = [system.type_range(word) for word in args[2:] or ["*"]]
        self.types, self.columns = [end for one in ranges for end in (one[0], one[-1])], len(ranges)
        self.gives = Gives(columns=self.columns if self.columns > 1 else 0)
        self.limits = Constants(2 * self.columns, system.space, "int32")
        self.limits.set(self.types)

    def peratom(self):
        return self.of_atoms(self.columns, self.bit, self.cutoff**2, self.columns, self.limits.view)

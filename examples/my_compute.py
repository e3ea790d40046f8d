"""A compute of your own: a number of each atom, made from its neighbours.

    everlet run examples/in.my_compute --plugin examples/my_compute.py
    everlet check examples/my_compute.py

`Nearby` brings rows with all neighbours of every atom within `cutoff`, on the device and on the rank that has the atom: the
kernel looks at one atom and fills its place in `out`.
"""

from everlet import Gives, Nearby, compute_style, portable
from everlet.errors import arguments, number
from everlet.portable import f64, i32, i64


@portable
def count_near(i, x: f64[:, 4], kind: i32[:], mask: i32[:], neigh: i32[:], count: i32[:], si: i64, sk: i64, out: f64[:],
               bit: i32, cut2: f64):
    """Atoms closer to atom i than the cutoff; 0 for atoms that are not in the group."""
    for q in range(i64(count[i]) if mask[i] & bit else i64(0)):
        j = i64(neigh[i * si + q * sk])
        dx = x[i, 0] - x[j, 0]
        dy = x[i, 1] - x[j, 1]
        dz = x[i, 2] - x[j, 2]
        if dx * dx + dy * dy + dz * dz < cut2:  # rows may reach farther
            out[i] += 1.0


@compute_style("my/neighbours")
class MyNeighbours(Nearby):
    """compute ID group my/neighbours R: how many neighbours each atom has within R."""

    gives = Gives(columns=0)  # one number of each atom: c_ID
    body = count_near
    example = "1.5"

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "compute ID group my/neighbours R")
        self.cutoff = number(args[0], "a cutoff")

    def peratom(self):
        return self.of_atoms(1, self.bit, self.cutoff**2)

"""A fix of your own with a memory: every atom is tied by a spring to the place where it was when the fix was defined.

    everlet run examples/in.my_tether --plugin examples/my_tether.py
    everlet check examples/my_tether.py

The places are a field of the atoms: they are sorted with them, go to other ranks with them, are kept in restart files and
vanish with the fix. The energy is f_ID, and a part of pe after `fix_modify ID energy yes`.
"""

import numpy as np

from everlet import EXTENSIVE, Fix, Gives, fix_style, portable
from everlet.computes.words.columns import unwrapped
from everlet.errors import arguments, number
from everlet.portable import Kernel, View, f64, i32, parallel_reduce
from everlet.portable.sums import ADD_UP
from everlet.state.images import unwrap


@portable
def pull(i, x: f64[:, 4], image: i32[:, 3], home: f64[:, 3], f: f64[:, 3], mask: i32[:], bit: i32, k: f64, box: f64[:]):
    """Pull atom i home; its energy. The box is read where the kernel runs: a barostat may change it at every step."""
    energy = 0.0
    if mask[i] & bit:
        px, py, pz = unwrap(i, x, image, box)
        dx = px - home[i, 0]
        dy = py - home[i, 1]
        dz = pz - home[i, 2]
        f[i, 0] -= k * dx
        f[i, 1] -= k * dy
        f[i, 2] -= k * dz
        energy = 0.5 * k * (dx * dx + dy * dy + dz * dz)
    return energy


PULL = Kernel(pull, sums=1)


@fix_style("my/tether")
class MyTether(Fix):
    """fix ID group my/tether K: E = K/2 (x - home)^2 for each atom of the group     K: energy/length^2"""

    steady = has_energy = minimizes = True
    gives = Gives(scalar=EXTENSIVE)
    reads, writes = ("x", "image", "f", "mask"), ("f",)
    example = "5.0"

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "fix ID group my/tether K")
        self.k = number(args[0], "a spring constant")
        self.energy = View(1, np.float64, system.space)  # stays in the memory of the device until somebody asks
        if not self.add_field("home", width=3):  # otherwise a restart file has brought it
            system.atoms.edit(self.field("home"))[:] = unwrapped(system)

    def kernels(self):
        return [PULL, ADD_UP]

    def setup(self):
        self.post_force()

    def post_force(self):
        system, atoms = self.system, self.system.atoms
        parallel_reduce(system.space, atoms.n, PULL, atoms.view("x"), atoms.view("image"), atoms.view(self.field("home")),
                        atoms.view("f", modify=True), atoms.view("mask"), self.bit, self.k, system.box_view(), into=self.energy)

    def scalar(self):
        return float(self.system.ranks.sum(self.energy.get())[0])  # ranks: each has a part of the atoms

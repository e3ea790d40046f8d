"""A fix of your own: friction, a force against the velocity of each atom.

    everlet run examples/in.my_fix --plugin examples/my_fix.py
    everlet check examples/my_fix.py

The kernel runs on CPU threads and on GPUs. `steady` says that the hooks do nothing but launch kernels: a GPU then replays
whole steps without asking Python, unless a hook asks for something that changes from step to step.
"""

from everlet import Fix, InputError, fix_style, portable
from everlet.errors import arguments, number
from everlet.portable import Kernel, f64, i32, local, parallel_for


@local  # atom i reads and writes its own row only: the loop may be fused with others
@portable
def drag(i, v: f64[:, 3], f: f64[:, 3], mask: i32[:], bit: i32, gamma: f64):
    if mask[i] & bit:
        for k in range(3):
            f[i, k] -= gamma * v[i, k]


@fix_style("my/drag")
class MyDrag(Fix):
    """fix ID group my/drag GAMMA: F = -GAMMA v     GAMMA: force/velocity"""

    steady = True
    reads, writes = ("v", "f", "mask"), ("f",)
    example = "0.5"  # arguments for `everlet check`

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "fix ID group my/drag GAMMA")
        self.gamma = number(args[0], "a friction")
        if self.gamma < 0.0:
            raise InputError(f"fix my/drag: a friction of {args[0]} speeds atoms up", "give 0 or more")

    def kernels(self):
        return [Kernel(drag)]  # compiled before the run

    def setup(self):
        self.post_force()  # forces of the first step

    def post_force(self):
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, drag, atoms.view("v"), atoms.view("f", modify=True), atoms.view("mask"),
                     self.bit, self.gamma)

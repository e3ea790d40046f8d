"""A region that atoms go through in one direction alone."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, one_of
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.state.system import System


@fix_style("oneway")
class OneWay(Fix):
    """fix ID group oneway N REGION x|y|z|-x|-y|-z: every N steps atoms in the region that go against this direction are turned
    round: this component of their velocity changes its sign. It works on the host."""

    reads, writes = ("x", "v", "mask"), ("v",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, "fix ID group oneway N REGION x|y|z|-x|-y|-z")
        self.every = every_steps(args[0], "fix oneway")
        self.region = one_of("region", args[1], system.regions)
        one_of("direction of fix oneway", args[2], ("x", "y", "z", "-x", "-y", "-z"))
        self.axis, self.sign = "xyz".index(args[2][-1]), -1.0 if args[2][0] == "-" else 1.0

    def init(self) -> None:
        if self.region not in self.system.regions:
            raise InputError(f"region {self.region} was removed while fix {self.id} uses it", "define it again")

    def end_of_step(self) -> None:
        atoms = self.system.atoms
        back = (atoms.read("mask") & self.bit != 0) & (self.sign * atoms.read("v")[:, self.axis] < 0.0)
        back &= self.system.regions[self.region].inside(atoms.read("x"))
        atoms.edit("v")[np.flatnonzero(back), self.axis] *= -1.0

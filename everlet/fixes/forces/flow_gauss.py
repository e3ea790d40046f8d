"""Gaussian dynamics of flow: no net force on a group."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.motion.com import mass_and_centre
from everlet.computes.motion.rotation import Body
from everlet.errors import InputError, arguments, integer, one_of, yes_no
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.forces.spring import pull_group
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group flow/gauss 0|1 0|1 0|1 [energy yes|no]"


@fix_style("flow/gauss")
class FlowGauss(ForceFix):
    """fix ID group flow/gauss 0|1 0|1 0|1 [energy yes|no]: F_a += m a along the axes with 1, a = -sum F / sum m, so that
    the flow of the group keeps its speed.

    f_ID: energy that atoms have lost to these forces since the fix was made, if `energy yes`; f_ID[1-3]: the sum of forces. It
    works on the host.
    """

    levels = ""
    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=3)
    keeps = ("work", "pushed")
    put_back = ("work",)
    reads, writes = ("f", "v", "type", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 5, USAGE)
        flags = [integer(word, "0 or 1") for word in args[:3]]
        if not set(flags) <= {0, 1} or not any(flags):
            raise InputError("fix flow/gauss needs three flags of 0 or 1, one of them 1", f"usage: {USAGE}")
        self.axes = np.array(flags, float)
        self.counts = False
        if args[3:]:
            one_of("keyword of fix flow/gauss", args[3], ("energy",), f"usage: {USAGE}")
            arguments(args, 5, 5, USAGE)
            self.counts = yes_no(args[4], "fix flow/gauss energy")
        self.has_energy = self.counts
        self.mass, self.work, self.pushed = 0.0, 0.0, np.zeros(3)

    def init(self) -> None:
        if self.system.dimension == 2 and self.axes[2]:
            raise InputError("fix flow/gauss: there is no flow along z in two dimensions", "use 0")

    def resume(self) -> None:
        self.mass = mass_and_centre(self.system, self.bit)[0]
        if not self.mass:
            raise InputError(f"fix {self.id}: group {self.group} has no atoms", "a flow needs some")

    def setup(self) -> None:
        self.resume()
        self.post_force()

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        self.pushed = -self.axes * system.ranks.sum(atoms.read("f")[rows].sum(axis=0))
        pull_group(system, self.bit, self.mass, self.pushed)
        if self.counts:
            self.work -= system.dt * float(self.pushed @ Body(system, self.bit).velocity)

    def scalar(self) -> float:
        return self.work

    def vector(self) -> Any:
        return self.pushed

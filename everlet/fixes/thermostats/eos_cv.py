"""Temperatures of dissipative particles from their inner energies."""

from __future__ import annotations

import numpy as np

from everlet.errors import above_zero, arguments
from everlet.fixes.base import fix_style
from everlet.fixes.thermostats.state_equation import StateEquation
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.state.system import System


@local
@portable
def warm(i, cond: f64[:], mech: f64[:], theta: f64[:], mask: i32[:], bit: i32, capacity: f64):
    if mask[i] & bit:
        theta[i] = (cond[i] + mech[i]) / capacity


WARM = Kernel(warm)


@fix_style("eos/cv")
class EosCv(StateEquation):
    """fix ID group eos/cv C: theta = (u_cond + u_mech) / C. A run begins with u_mech = C theta and u_cond = 0.
    Where lists are built anew a run ends if an atom has no energy left."""

    name = "eos/cv"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "fix ID group eos/cv C")
        self.capacity = above_zero(args[0], "heat capacity", "fix eos/cv", "100")

    def kernels(self) -> list[Kernel]:
        return [WARM]

    def energies(self, theta: np.ndarray) -> np.ndarray:
        return self.capacity * theta

    def post_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, WARM, atoms.view("cond"), atoms.view("mech"), atoms.view("theta", modify=True),
                     atoms.view("mask"), self.bit, self.capacity)

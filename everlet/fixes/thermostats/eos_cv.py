"""Temperatures of dissipative particles from their inner energies."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, RunError, arguments, number
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.state.atom_styles import need_field
from everlet.state.system import System


@local
@portable
def warm(i, cond: f64[:], mech: f64[:], theta: f64[:], mask: i32[:], bit: i32, capacity: f64):
    if mask[i] & bit:
        theta[i] = (cond[i] + mech[i]) / capacity


WARM = Kernel(warm)


@fix_style("eos/cv")
class EosCv(Fix):
    """fix ID group eos/cv C: theta = (u_cond + u_mech) / C. A run begins with u_mech = C theta and u_cond = 0.
    Where lists are built anew a run ends if an atom has no energy left."""

    steady = True
    every = 1
    reads, writes = ("cond", "mech", "theta", "mask"), ("cond", "mech", "theta")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "fix ID group eos/cv C")
        need_field(system.atoms, "theta", "fix eos/cv")
        self.capacity = number(args[0], "a heat capacity")
        if self.capacity <= 0.0:
            raise InputError(f"fix eos/cv {args[0]}", "give a heat capacity above zero")

    def kernels(self) -> list[Kernel]:
        return [WARM]

    def init(self) -> None:
        atoms = self.system.atoms
        mine = (atoms.read("mask") & self.bit) != 0
        cold = atoms.read("id")[mine & (atoms.read("theta") <= 0.0)]
        if len(cold):
            raise InputError(f"fix {self.id} eos/cv: atom {cold[0]} has no temperature", "use set … dpd/theta")
        if not self.system.continues:
            atoms.edit("mech")[:] = np.where(mine, self.capacity * atoms.read("theta"), atoms.read("mech"))
            atoms.edit("cond")[:] = np.where(mine, 0.0, atoms.read("cond"))

    def pre_neighbor(self) -> None:
        """Friction goes by 1 / theta: an atom that has given away all of its energy would be pushed without end."""
        atoms = self.system.atoms
        cold = atoms.read("id")[((atoms.read("mask") & self.bit) != 0) & (atoms.read("theta") <= 0.0)].tolist()
        if found := [id for part in self.system.ranks.all_of(cold) for id in part]:
            raise RunError(f"fix {self.id} eos/cv: atom {found[0]} has no inner energy left at step {self.system.step}",
                           "use a shorter timestep or a larger heat capacity")

    def post_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, WARM, atoms.view("cond"), atoms.view("mech"), atoms.view("theta", modify=True),
                     atoms.view("mask"), self.bit, self.capacity)

    def end_of_step(self) -> None:
        self.post_integrate()

"""What equations of state of dissipative particles have in common: temperatures from inner energies."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, RunError
from everlet.fixes.base import Fix
from everlet.state.atom_styles import need_field
from everlet.state.system import System


class StateEquation(Fix):
    """Base of these fixes. A run begins with u_mech = u(theta) and u_cond = 0."""

    steady = True
    every = 1
    reads, writes = ("cond", "mech", "theta", "mask"), ("cond", "mech", "theta")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        need_field(system.atoms, "theta", f"fix {self.name}")

    name: str

    def energies(self, theta: np.ndarray) -> np.ndarray:
        """u at these temperatures, on the host."""
        raise NotImplementedError

    def outside(self, theta: np.ndarray) -> tuple[np.ndarray, str, str]:
        """Which of these temperatures cannot be, what an atom with one of them has, and the remedy."""
        return theta <= 0.0, "has no inner energy left", "use a shorter timestep or a larger heat capacity"

    def init(self) -> None:
        atoms = self.system.atoms
        mine = (atoms.read("mask") & self.bit) != 0
        cold = atoms.read("id")[mine & (atoms.read("theta") <= 0.0)]
        if len(cold):
            raise InputError(f"fix {self.id} {self.name}: atom {cold[0]} has no temperature", "use set … dpd/theta")
        if not self.system.continues:
            atoms.edit("mech")[:] = np.where(mine, self.energies(atoms.read("theta")), atoms.read("mech"))
            atoms.edit("cond")[:] = np.where(mine, 0.0, atoms.read("cond"))

    def pre_neighbor(self) -> None:
        """Friction goes by 1 / theta: an atom that has given away all of its energy would be pushed without end."""
        atoms = self.system.atoms
        wrong, what, remedy = self.outside(atoms.read("theta"))
        lost = atoms.read("id")[((atoms.read("mask") & self.bit) != 0) & wrong].tolist()
        if found := [id for part in self.system.ranks.all_of(lost) for id in part]:
            raise RunError(f"fix {self.id} {self.name}: atom {found[0]} {what} at step {self.system.step}", remedy)

    def end_of_step(self) -> None:
        self.post_integrate()

"""What schemes have in common whose atoms keep packed tables of partners, which may be bound before lists are made anew, and
of bonds: ReaxFF, and bond-order potentials of hydrocarbons."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.forces.manybody.reaxff.tables import Packed
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.pair.parameters import Parameters
from everlet.neighbor.lists import Neighbor
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Kernel, Space, View
from everlet.portable.scatter_view import ScatterView
from everlet.state.ledger import Tally
from everlet.state.system import System


class PartnerScheme(ScatteredScheme):
    steady = communicates = True
    precisions = ("double",)
    parameters: Any
    near_by: Surroundings | None = None  # where energies and virials of atoms are wanted, not forces
    styles: ClassVar[str]  # as errors name them, with their verb
    numbers_of_bonds: ClassVar[str]
    sums: ClassVar[int]  # of all loops
    collect: ClassVar[Kernel]  # energy and virial of these

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space = system.space
        self.near = Packed(space, partner=np.int32)
        self.bonds = Packed(space, bi=np.int32, bj=np.int32, **dict.fromkeys(self.numbers_of_bonds.split(), np.float64))
        self.of_atoms: dict[str, View] = {}
        self.home = View(1, np.int32, space)
        self.parts = View(self.sums, np.float64, space)
        self.stale, self.rows = True, 0

    @property
    def virial_of_forces(self) -> bool:
        """No: forces may be on other images of an atom than the one that takes part."""
        return False

    @classmethod
    def repeatable(cls, space: Space, options: dict[str, Any]) -> dict[str, Any]:
        if space.many_threads or space.threads > 1:
            raise InputError(f"{cls.styles} up slopes of many atoms in an order that depends on threads",
                             "use one thread, or leave out 'deterministic on'")
        return options

    def rebuilt(self) -> None:
        self.stale = True

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        self._before_forces(tally, comm)
        with self.forces() as force:
            self._forces(tally, comm, force)
        if tally is not None:
            tally.reduce(self.system.space, 1, self.collect, self.parts)

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py)."""
        assert self.near_by is not None
        self.stale = True
        self._before_forces(None, self.near_by.comm)
        self._forces(None, self.near_by.comm, out)

    def _before_forces(self, tally: Tally | None, comm: SerialComm) -> None:
        """Lists, bonds, and what they make by themselves."""
        raise NotImplementedError

    def _forces(self, tally: Tally | None, comm: SerialComm, out: ScatterView) -> None:
        raise NotImplementedError

    def _of_ghosts(self) -> tuple[Any, ...]:
        """What is read to find partners of ghosts."""
        near, par, atoms, bins = self.neighbor, self.parameters, self.system.atoms, self.neighbor.bins
        return (atoms.n, atoms.view("x"), atoms.view("type"), bins.order, bins.start, bins.parameters.view, bins.shape.view,
                par.farthest + near.skin, par.views["reach"], par.kinds, near.skin)

    def _of_bonds(self, names: str) -> list[View]:
        return [self.bonds[name] for name in names.split()]

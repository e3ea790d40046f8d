"""Links whose energy depends on the dipole of their first atom: forces and torques."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everlet.forces.bonded.directed_loops import directed_loop
from everlet.forces.bonded.driver import LinkTerm, rows_near
from everlet.portable import Kernel, View, parallel_for
from everlet.state.ledger import Tally

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings


class DirectedTerm(LinkTerm):
    def __init__(self, *arguments: Any):
        super().__init__(*arguments)
        self.repeatable = self.by_atom = True

    def _kernel(self, force: bool, tally: bool) -> Kernel:
        return Kernel(directed_loop, 7 if tally else 0, fields=self.fields, statics=self._statics(
            FORCE=force, PERATOM=not force, EV=tally, MANY=self.many))

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space = self.system.atoms, self.system.space
        arguments = (*self.links.of_atoms(self.system, self.rows), atoms.view("x"), atoms.view("mu"), self.system.box_view(),
                     comm.member(self.system), self.table, self.numbers, atoms.view("torque", modify=True),
                     atoms.view("f", modify=True).data, self.table, self.table)
        if tally is None:
            parallel_for(space, atoms.n, self._kernel(True, False), *arguments)
        else:
            tally.reduce(space, atoms.n, self._kernel(True, True), *arguments)

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        atoms = near.system.atoms
        parallel_for(self.system.space, near.n, self._kernel(False, False), *self.links.of_atoms(near.system, rows_near(near)),
                     atoms.view("x"), atoms.view("mu"), near.system.box_view(), near.comm.member(near.system), self.table,
                     self.numbers, atoms.view("mu"), self.table, energy, virial.data)

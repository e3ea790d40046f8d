"""Where charges are that are not at their atoms, and what forces on them are for atoms (sites_loops.py).

    sites.rebuilt()              ghosts are new: who belongs to whom
    sites.place(comm)            sites.view has the places of all charges, ghosts included
    sites.spread(comm, force, f) sets the forces f of atoms from those on charges, or adds to them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from everlet.forces.pair import sites_loops as loops
from everlet.portable import Kernel, View, parallel_for
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm

FIND, SITE, PUT, TAKE = map(Kernel, (loops.find_water, loops.find_site, loops.put_site, loops.take_force))
SHARE = {add: Kernel(loops.share_force, statics=(("ADD", add),)) for add in (False, True)}


class ChargeSites:
    """`oxygen`, `hydrogen`: types; `share`: a; `add`: to the forces of atoms, in place of setting them."""

    def __init__(self, system: System, oxygen: int, hydrogen: int, share: float, add: bool = False):
        self.system, self.oxygen, self.hydrogen, self.share = system, oxygen, hydrogen, share
        self.rows, self.add = RowsOfIds(system), add
        self.partner = View(0, np.int32, system.space)
        self.view, self.flat = View((1, 4), np.float64, system.space), [View(1, np.float64, system.space)] * 3
        self.label = ""  # tells its numbers from those of others

    def rebuilt(self) -> None:
        atoms, space = self.system.atoms, self.system.space
        self.rows.update()
        rows = atoms.view("x").shape[0]
        if self.view.shape[0] != rows:
            self.view, self.partner = View((rows, 4), np.float64, space), View(2 * rows, np.int32, space)
            self.flat = [View(rows, np.float64, space) for _ in range(3)]
        parallel_for(space, atoms.n, FIND, atoms.view("id"), atoms.view("type"), self.oxygen, self.hydrogen,
                     self.rows.view.shape[0] - 1, self.rows.view, self.partner, space.control)
        if space.queue is None:
            self.system.need_found("a hydrogen of a water molecule", "an oxygen's two hydrogens must have the ids that follow "
                                   "its own; comm_modify cutoff makes ghosts reach farther")

    def _forward(self, comm: SerialComm) -> None:
        for axis, values in zip("xyz", self.flat, strict=True):
            comm.forward_values(self.system, f"{axis} of sites{self.label}", values)

    def place(self, comm: SerialComm) -> None:
        atoms, space = self.system.atoms, self.system.space
        parallel_for(space, atoms.n, SITE, atoms.view("x"), self.system.box_view(), atoms.view("type"), self.oxygen, self.share,
                     self.partner, *self.flat)
        self._forward(comm)
        parallel_for(space, self.view.shape[0], PUT, atoms.view("x"), *self.flat, self.view)

    def spread(self, comm: SerialComm, force: View, f: View) -> None:
        atoms, space = self.system.atoms, self.system.space
        parallel_for(space, atoms.n, TAKE, force, *self.flat)
        self._forward(comm)
        parallel_for(space, atoms.n, SHARE[self.add], atoms.view("type"), self.oxygen, self.share, self.partner, *self.flat, f)

"""The term of bonds: any bond style on any space, on any number of ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from everlet.errors import RunError
from everlet.forces.bonded import loops
from everlet.forces.bonded.base import BondStyle
from everlet.forces.terms import Term
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.state.control import TROUBLE
from everlet.state.ledger import Tally
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm

FIND = Kernel(loops.find_partners)


class BondTerm(Term):
    """Forces of one bond style. Partners are looked up by id whenever ghosts are new; distances are to the nearest image."""

    phase = "Bond"
    part = "bond"
    energies = ("bond",)

    def __init__(self, system: System, style: BondStyle, rows: RowsOfIds):
        self.system, self.rows, self.name = system, rows, f"bond {style.name}"
        self.fields, numbers = style.numbers()
        self.function = style.function(self.fields)
        self.table = View(numbers.size, np.float64, system.space)
        self.table.put(numbers.ravel())
        self.partner = View(0, np.int32, system.space)

    @property
    def width(self) -> int:
        """Places for bonds in the row of an atom."""
        return self.system.atoms.fields["bond_type"].view.device.width

    def _loop(self, tally: bool) -> Kernel:
        statics = (("bond", self.function), ("NP", len(self.fields)), ("EV", tally))
        return Kernel(loops.bond_loop, 7 if tally else 0, fields=self.fields, statics=statics)

    def kernels(self) -> list[Kernel]:
        return [FIND, self._loop(False), self._loop(True), *self.rows.kernels()]

    def rebuilt(self) -> None:
        system, atoms, space = self.system, self.system.atoms, self.system.space
        self.rows.update()
        places = atoms.capacity * self.width * 2
        if self.partner.shape[0] < places:
            self.partner = View(places, np.int32, space)
        parallel_for(space, atoms.n, FIND, 2 * self.width, atoms.view("bond_atoms").data, self.rows.view, self.partner,
                     space.control)
        if space.queue is not None:
            return
        trouble = bool(space.read_control()[TROUBLE])
        if trouble:
            space.reset_control()
        if system.ranks.any(trouble):
            raise RunError(self._missing(), "a bond is longer than ghosts reach (comm_modify cutoff makes that longer), or an "
                           "atom was lost or deleted")

    def _missing(self) -> str:
        """The first bond on this rank, or another, whose partner is not there."""
        atoms, space = self.system.atoms, self.system.space
        ids = atoms.read("bond_atoms")
        partner = space.to_host(self.partner.data[: ids.size]).reshape(ids.shape)
        i, k = np.nonzero((partner < 0) & (ids > 0))
        mine = f"atom {ids[i[0], k[0]]}, which is bonded to atom {atoms.read('id')[i[0]]}, is not to be found" if len(i) else ""
        found = next(filter(None, self.system.ranks.all_of(mine)), "an atom of a bond is not to be found")
        return f"{found} at step {self.system.step}"

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space = self.system.atoms, self.system.space
        arguments = (atoms.view("x"), comm.box.view, self.width, atoms.view("bond_type").data, self.partner, self.table,
                     atoms.view("f", modify=True))
        if tally is None:
            parallel_for(space, atoms.n, self._loop(False), *arguments)
        else:
            tally.reduce(space, atoms.n, self._loop(True), *arguments)

    def bytes(self) -> int:
        return self.partner.data.nbytes + self.rows.bytes()


def evaluate(style: BondStyle, r2: np.ndarray, space: Space, type: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """F/r and E of a bond type at squared distances, computed in `space`: for checks."""
    fields, numbers = style.numbers()
    table, points = View(numbers.size, np.float64, space), View(len(r2), np.float64, space)
    table.put(numbers.ravel())
    points.put(r2)
    force, energy = (View(len(r2), np.float64, space) for _ in range(2))
    kernel = Kernel(loops.evaluate, fields=fields, statics=(("bond", style.function(fields)),))
    parallel_for(space, len(r2), kernel, points, table, type * len(fields), force, energy)
    return force.get(), energy.get()

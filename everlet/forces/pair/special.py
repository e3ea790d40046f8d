"""The term of special pairs: pair forces between atoms one, two or three bonds apart, times the factors of special_bonds.

Neighbour lists leave such pairs out (neighbor/exclusions.py). There are few of them, so a small loop of their own costs less
than a test in the loop over all pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from everlet.errors import RunError
from everlet.forces.pair import special_loops as loops
from everlet.forces.pair.parameters import Parameters
from everlet.forces.terms import Term
from everlet.portable import Constants, Kernel, View, parallel_for
from everlet.state.control import TROUBLE
from everlet.state.ledger import Tally
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm

FIND = Kernel(loops.find_special)
USED = ("pair", "MANY", "NP")


class SpecialTerm(Term):
    """Scaled pairs of one pair style, or of each sub-style of a hybrid: `styles` are their parameters and factors."""

    energies = ("vdwl",)

    def __init__(self, system: System, name: str, styles: list[tuple[Parameters, float]], rows: RowsOfIds):
        self.system, self.name, self.styles, self.rows = system, f"{name} special", styles, rows
        self.partner = View(0, np.int32, system.space)
        self.weights, self.scaled = Constants(4, system.space), Constants(4, system.space, np.int64)
        special = system.topology.special
        self.weights.set([1.0, *special.lj])
        self.scaled.set([int(scaled) for scaled in special.scaled()])

    def _loop(self, numbers: Parameters, tally: bool) -> Kernel:
        statics = (*(one for one in numbers.statics if one[0] in USED), ("EV", tally))
        return Kernel(loops.special_loop, 7 if tally else 0, fields=numbers.fields, statics=statics,
                      precision=self.system.precision)

    def kernels(self) -> list[Kernel]:
        found = [self._loop(numbers, tally) for numbers, _ in self.styles for tally in (False, True)]
        return [FIND, *self.rows.kernels(), *found]

    def rebuilt(self) -> None:
        atoms, space = self.system.atoms, self.system.space
        self.rows.update()
        special = atoms.view("special")
        if self.partner.shape[0] < atoms.capacity * special.width:
            self.partner = View(atoms.capacity * special.width, np.int32, space)
        parallel_for(space, atoms.n, FIND, special.width, special.data, self.scaled.view, self.rows.view, self.partner,
                     space.control)
        if space.queue is not None:
            return
        trouble = bool(space.read_control()[TROUBLE])
        if trouble:
            space.reset_control()
        if self.system.ranks.any(trouble):
            raise RunError(f"an atom that few bonds link to another one is not to be found at step {self.system.step}",
                           "ghosts must reach as far as three bonds: comm_modify cutoff makes that longer")

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space = self.system.atoms, self.system.space
        special = atoms.view("special")
        for numbers, factor in self.styles:
            arguments = (atoms.view("x"), comm.box.view, atoms.view("type"), special.width, special.data, self.partner,
                         self.weights.view, numbers.table, numbers.data, numbers.kinds, factor, atoms.view("f", modify=True))
            if tally is None:
                parallel_for(space, atoms.n, self._loop(numbers, False), *arguments)
            else:
                tally.reduce(space, atoms.n, self._loop(numbers, True), *arguments)

    def bytes(self) -> int:
        return self.partner.data.nbytes

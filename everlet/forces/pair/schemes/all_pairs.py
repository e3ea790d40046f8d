"""all: every pair of atoms and ghosts is looked at, tile by tile. For small systems, and as a check of the others."""

from __future__ import annotations

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import RunError
from everlet.forces.pair.item_sums import ITEM_SUMS
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes import block_loops
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_team
from everlet.state.ledger import Tally
from everlet.state.system import System

TILE = 64  # atoms per tile, and GPU threads that share one
MOST_PAIRS = 4e8  # of an atom and another or a ghost: seconds per step on one core
WORTH_TRYING = 100  # atoms; with more, lists were faster wherever it was measured


@pair_scheme("all")
class AllPairs(Scheme):
    pairs = "full"
    needs_list = False
    takes = ("branch",)

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.tally = View(7, np.float64, system.space)

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        return system.natoms <= WORTH_TRYING

    def kernel(self, tally: bool) -> Kernel:
        statics = (*self.parameters.statics, ("EV", tally), ("BRANCH", self.options.branch is not False), ("TILE", TILE),
                   ("ADD", self.adds))
        return Kernel(block_loops.all_loop, 0, self.system.precision, self.parameters.fields, TILE, statics,
                      league=True)

    def rebuilt(self) -> None:
        atoms = self.system.atoms
        if atoms.n * atoms.total > MOST_PAIRS:
            raise RunError(f"scheme all would look at {atoms.n * atoms.total:.2g} pairs of {atoms.n} atoms and "
                           f"{atoms.nghost} ghosts at every step", "use another scheme: it is for small systems")
        if 7 * atoms.n > self.tally.shape[0]:
            self.tally = View(7 * atoms.n, np.float64, self.system.space)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        system, atoms, par = self.system, self.system.atoms, self.parameters
        parallel_team(system.space, -(-atoms.n // TILE), self.kernel(tally is not None), atoms.n, atoms.total,
                      self.neighbor.filler, atoms.view("x"), atoms.view("type"), par.table, par.data, par.kinds,
                      atoms.view("f", modify=True), self.tally)
        if tally is not None:
            tally.reduce(system.space, atoms.n, ITEM_SUMS, self.tally)

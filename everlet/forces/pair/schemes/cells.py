"""cells: pairs from cells at every step, without a neighbour list.

Every owned pair is computed once on CPUs. Columns of bins are taken in turns, such that the columns of one turn never
write to the same atoms: threads need no copies of the forces, and sums have the same order for any number of threads.
On a GPU every atom does all of its pairs.
"""

from __future__ import annotations

import itertools

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.pair.item_sums import ITEM_SUMS
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes import cell_loops
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.forces.pair.schemes.cell_slots import Slots
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.state.ledger import Tally
from everlet.state.system import System


def turns(shape: tuple[int, int], reach: tuple[int, int]) -> tuple[np.ndarray, list[int]]:
    """Columns (a, b) in an order of turns, and where each turn begins and the last one ends.

    A column writes to columns up to `reach` after it along a, and to both sides along b: columns of one turn are a
    reach, or two, and one apart.
    """
    a, b = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    wide = 2 * reach[1] + 1
    colour = a % (reach[0] + 1) * wide + b % wide
    counts = np.bincount(colour)
    return np.argsort(colour, kind="stable"), [0, *np.cumsum(counts[counts > 0]).tolist()]


@pair_scheme("cells")
class Cells(Scheme):
    pairs = "full"  # all ghosts exist, and get no force
    needs_list = False
    takes = ("branch",)

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.slots = Slots(system, neighbor)
        self.full = system.space.many_threads
        self.turn = View(1, np.int32, system.space)
        self.ends = [0, 0]
        self.tally = View(7, np.float64, system.space)

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        """A scheme for studies: lists were faster wherever it was measured."""
        return False

    def kernel(self, tally: bool) -> Kernel:
        statics = (*self.parameters.statics, ("EV", tally), ("FULL", self.full), ("PAD", self.slots.width),
                   ("BRANCH", self.options.branch is not False))  # most lanes are beyond the cutoff
        return Kernel(cell_loops.cell_loop, 0, self.system.precision, self.parameters.fields, statics=statics)

    def rebuilt(self) -> None:
        slots = self.slots
        slots.rebuild()
        grid = slots.bins.grid
        assert grid is not None
        items = slots.owned
        if not self.full:
            reach = slots.reach.get()
            order, self.ends = turns((int(grid.shape[0]), int(grid.shape[1])), (int(reach[0]), int(reach[1])))
            items = len(order)
            self.turn = View(items, np.int32, self.system.space)
            self.turn.put(order)
        if 7 * items > self.tally.shape[0]:
            self.tally = View(7 * items, np.float64, self.system.space)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        slots, atoms, space = self.slots, self.system.atoms, self.system.space
        slots.gather()
        items = slots.owned if self.full else self.ends[-1]
        ends = self.ends if space.threads > 1 and not self.full else [0, items]
        if not self.full:
            slots.clear_forces()
        bins, par = slots.bins, self.parameters
        for begin, end in itertools.pairwise(ends):
            parallel_for(space, end - begin, self.kernel(tally is not None), begin, atoms.n, atoms.nghost, slots.columns,
                         self.turn, slots.x, slots.y, slots.z, slots.kind, slots.atom, bins.start,
                         bins.parameters.view, bins.shape.view, slots.reach, slots.radius, par.table, par.data, par.kinds,
                         slots.fx, slots.fy, slots.fz, self.tally)
        slots.hand_back(self.adds)
        if tally is not None:
            tally.reduce(space, items, ITEM_SUMS, self.tally)

"""cells/product: as cells, with distances and forces from products of small matrices of places, in double only.

r^2 = |a|^2 + |b|^2 - 2 a.b loses digits where places are large beside distances: they are taken relative to the block,
which is enough in float64 and is not in float32.
"""

from __future__ import annotations

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.pair.item_sums import ITEM_SUMS
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes import block_loops
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.forces.pair.schemes.cell_slots import Slots
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_team
from everlet.portable.traits import WIDEST
from everlet.state.ledger import Tally
from everlet.state.system import System

TILE = 512  # atoms b in scratch memory: 20 KiB
LAYERS = 3  # bins along z per block of atoms a
TEAM = WIDEST  # threads per block of atoms a


@pair_scheme("cells/product")
class CellsProduct(Scheme):
    pairs = "full"
    needs_list = False
    precisions = ("double",)
    takes = ("branch",)

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.slots = Slots(system, neighbor)
        self.tally = View(7, np.float64, system.space)

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        """A scheme for studies: it was slower than cells wherever it was measured."""
        return False

    def kernel(self, tally: bool) -> Kernel:
        statics = (*self.parameters.statics, ("EV", tally), ("BRANCH", self.options.branch is not False),
                   ("PAD", self.slots.width), ("LAYERS", LAYERS), ("TILE", TILE))
        return Kernel(block_loops.product_loop, 0, "double", self.parameters.fields, TEAM, statics, league=True)

    def rebuilt(self) -> None:
        self.slots.rebuild()
        if 7 * self.slots.owned > self.tally.shape[0]:
            self.tally = View(7 * self.slots.owned, np.float64, self.system.space)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        slots, atoms, par, space = self.slots, self.system.atoms, self.parameters, self.system.space
        bins = slots.bins
        assert bins.grid is not None
        slots.gather()
        slots.clear_forces()
        if tally is not None:
            self.tally.data[:] = 0.0
        blocks = slots.columns * -(-int(bins.grid.shape[2]) // LAYERS)
        parallel_team(space, blocks, self.kernel(tally is not None), atoms.n, atoms.nghost, slots.columns, slots.x, slots.y,
                      slots.z, slots.kind, bins.start, bins.parameters.view, bins.shape.view, slots.reach,
                      self.neighbor.radius, par.table, par.data, par.kinds, slots.fx, slots.fy, slots.fz, self.tally)
        slots.hand_back(self.adds)
        if tally is not None:
            tally.reduce(space, slots.owned, ITEM_SUMS, self.tally)

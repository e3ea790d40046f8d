"""Atoms in columns of bins, as the cell loop wants them: contiguous positions, types and forces, in slots."""

from __future__ import annotations

import numpy as np

from everlet.forces.pair.schemes import cell_loops
from everlet.neighbor.cells import PADDING, Bins, make_grid
from everlet.neighbor.kernels import gather_sorted
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.kernels import lane_width
from everlet.portable.language.dtypes import dtype
from everlet.state.system import System

THIN = 6  # bins are so much thinner along z, where ranges of them are contiguous, than across


class Slots:
    """Positions, types and forces of owned atoms and ghosts, column by column, with fillers after each column."""

    def __init__(self, system: System, neighbor: Neighbor):
        self.system, self.neighbor = system, neighbor
        self.width = lane_width(system.space.target, system.precision)
        self.bins = Bins(system.space, positions=False)
        self.columns = self.owned = self.total = 0
        self.reach = View(2, np.int64, system.space)
        self._reserve(0)

    def _reserve(self, slots: int) -> None:
        space, rows = self.system.space, int(1.1 * slots) + PADDING
        self.x, self.y, self.z = (View(rows, np.float64, space) for _ in range(3))
        self.fx, self.fy, self.fz = (View(rows, dtype("accum", self.system.precision), space) for _ in range(3))
        self.atom, self.kind = (View(rows, np.int32, space) for _ in range(2))

    def _place(self) -> Kernel:
        return Kernel(cell_loops.place_slots, statics=(("PAD", self.width),))

    def _unsort(self, adds: bool) -> Kernel:
        return Kernel(cell_loops.unsort_forces, precision=self.system.precision, statics=(("ADD", adds),))

    def rebuild(self) -> None:
        """New columns for the present atoms and ghosts."""
        atoms, box, near, space = self.system.atoms, self.system.need_box(), self.neighbor, self.system.space
        edge = near.settings.binsize or self._edge() or float(box.lengths.max())
        lo, hi = self.system.region(near.ghost_cutoff)
        if box.dimension == 2:
            lo[2], hi[2] = box.lo[2], box.hi[2]
        grid = make_grid(lo, hi, edge, atoms.total)
        layers = 1 if box.dimension == 2 else THIN * int(grid.shape[2])
        grid.size[2] *= grid.shape[2] / layers
        grid.shape[2] = layers
        self.bins.set_grid(grid, atoms.total)
        self.bins.sort(atoms.view("x"), atoms.n, atoms.total)
        self.columns = int(grid.shape[0] * grid.shape[1])
        self.owned = atoms.n + self.columns * self.width
        self.total = self.owned + atoms.nghost + self.columns * self.width
        if self.total + PADDING > self.x.shape[0]:
            self._reserve(self.total)
        self.reach.put(np.floor(near.radius / grid.size[:2]).astype(np.int64) + 1)
        self.atom.data[:] = near.filler  # the filler of the neighbour lists: far away, of no type
        self.kind.data[:] = 0
        parallel_for(space, atoms.total, self._place(), layers, self.bins.order, self.bins.bin,
                     atoms.view("type"), self.atom, self.kind)

    def _edge(self) -> float:
        """Columns as wide as fills the lanes: about W atoms per unit of length, but neither too wide nor too narrow."""
        box, radius = self.system.need_box(), self.neighbor.radius
        height = float(box.lengths[2]) if box.dimension == 2 else 1.0
        across = np.sqrt(self.width * self.system.own_volume / (max(self.system.atoms.n, 1) * height))
        return float(np.clip(across, 0.35 * radius, radius))

    @property
    def radius(self) -> float:
        """How far from an atom's present place its partners were at the last build.

        They have moved half the skin at most if that is tested every step. Otherwise the whole skin is allowed for,
        as in a list. The last part is for rounding.
        """
        near, s = self.neighbor, self.neighbor.settings
        tested = s.check and s.every == 1 and s.delay == 0 and not s.once
        return (near.cutoff + near.skin * (0.5 if tested else 1.0)) * (1.0 + 1e-9)

    def gather(self) -> None:
        """The present positions."""
        parallel_for(self.system.space, self.total, Kernel(gather_sorted), self.system.atoms.view("x"), self.atom,
                     self.x, self.y, self.z)

    def clear_forces(self) -> None:
        for view in (self.fx, self.fy, self.fz):
            view.data[: self.owned] = 0.0

    def hand_back(self, adds: bool) -> None:
        """Forces by slot to the atoms; or added to those that they have."""
        atoms = self.system.atoms
        parallel_for(self.system.space, self.owned, self._unsort(adds), atoms.n, self.atom, self.fx, self.fy, self.fz,
                     atoms.view("f", modify=True))

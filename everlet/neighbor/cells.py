"""Sorting atoms into bins, in four steps that can each be replaced and timed on their own:

    grid         how many bins of which size over which region
    assign       bin of each atom, its rank in the bin, atoms per bin
    offsets      first slot of each bin (prefix sum)
    permutation  atoms in bin order
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.neighbor import kernels
from everlet.portable import Constants, Counted, Kernel, Space, View, parallel_for
from everlet.portable.scan import Scan

THIN, THINNEST = 3, 4  # atoms of a bin, and the most parts of one
PADDING = 64  # slots past the end that lanes may read
ASSIGN = tuple(Kernel(kernels.assign_bins, statics=(("MANY", many),)) for many in (False, True))


@dataclass
class Grid:
    """Bins of size `size` from `lo`, `shape` of them; z is the fastest index."""

    lo: np.ndarray
    size: np.ndarray
    shape: np.ndarray

    @property
    def bins(self) -> int:
        return int(np.prod(self.shape))

    def stencil(self, radius: float, slack: float = 0.0) -> np.ndarray:
        """Rows (da, db, dc) of bins that can hold something within `radius` of an atom in bin (0, 0, 0), also if bins shrink by
        `slack` of their size."""
        size = self.size * (1.0 - slack)
        reach = np.ceil(radius / size).astype(int)
        reach = np.minimum(reach, self.shape - 1)
        own: list[tuple[int, int, int]] = []  # rows in bin order: the atom's own, those after it, those before it
        later: list[tuple[int, int, int]] = []
        before: list[tuple[int, int, int]] = []
        for da in range(-reach[0], reach[0] + 1):
            for db in range(-reach[1], reach[1] + 1):
                gap2 = (max(abs(da) - 1, 0) * size[0]) ** 2 + (max(abs(db) - 1, 0) * size[1]) ** 2
                if gap2 < radius**2:
                    dc = int(np.floor(np.sqrt(radius**2 - gap2) / size[2])) + 1
                    row = (da, db, min(dc, int(self.shape[2])))
                    (own if da == db == 0 else later if (da, db) > (0, 0) else before).append(row)
        return np.array([*own, *later, *before], np.int64).reshape(-1, 3)


def make_grid(lo: np.ndarray, hi: np.ndarray, edge: float, atoms: int, thin: bool = False) -> Grid:
    """Bins of about `edge` over a region; larger ones where the region is far larger than its atoms need. thin: where bins have
    many atoms they are thinner along z. Bins along z follow each other, so that loops over them have fewer candidates and go
    through no more runs of slots."""
    extent = np.maximum(hi - lo, 1e-300)
    most_bins = max(4 * atoms, 1000)
    shape = np.maximum(np.floor(extent / edge), 1.0)  # floats: a box blown up by a few wild atoms may have any size
    while np.prod(shape) > most_bins:
        edge *= 1.26
        shape = np.maximum(np.floor(extent / edge), 1.0)
    if thin:
        shape[2] *= min(max(atoms / np.prod(shape) // THIN, 1.0), THINNEST)
    return Grid(lo, extent / shape, shape.astype(np.int64))


class Bins:
    """Atoms sorted into the bins of a grid, ghosts into bins of their own.

    Slots [0:n] hold owned atoms in bin order, slots [n:total] ghosts. The atoms of bin b are in the slots start[b] …
    start[b+1]-1, the ghosts of bin b in start[bins+b] … start[bins+b+1]-1.
    `packed` has room for positions and indices in bin order, if they are wanted.
    """

    def __init__(self, space: Space, positions: bool = True, count: int = 1, many: bool = False):
        self.space, self.positions, self.many = space, positions, many
        self.grids: list[Grid] = []  # `count` of them: one, or, if there are many systems, one for each
        self.bins = 0  # of all grids
        self.columns: list[tuple[int, int, int]] = []  # of each grid: its first bin, bins along x, bins of each of these
        self.stencils_for: tuple[float, float] | None = None  # list radius and slack
        self.parameters = Constants(6 * count, space)
        self.shape = Constants(kernels.SHAPE * count, space, np.int64)
        self.scan = Scan(space)
        self.count = View(0, np.int32, space)
        self.start = View(1, np.int32, space)
        self._reserve(0)

    def _reserve(self, atoms: int) -> None:
        rows = atoms + PADDING
        self.order = View(rows, np.int32, self.space)
        # bins and ranks are done with before positions are packed: they can share memory
        self.packed = View((4 if self.positions else 2) * rows, np.int32, self.space)
        self.bin, self.rank = self.packed.data[:rows], self.packed.data[rows : 2 * rows]

    @property
    def grid(self) -> Grid | None:
        """The only one, or the first."""
        return self.grids[0] if self.grids else None

    def set_grid(self, grid: Grid, most: int) -> None:
        """Use a grid, with room for so many atoms and ghosts."""
        self.set_grids([grid], most)

    def reserve(self, most: int) -> None:
        """Room for so many atoms and ghosts."""
        if most + PADDING > self.order.shape[0]:
            self._reserve(most)

    def set_grids(self, grids: list[Grid], most: int) -> None:
        """Use a grid for each system."""
        self.reserve(most)
        same = [(*one.size, *one.shape) for one in grids] == [(*one.size, *one.shape) for one in self.grids]
        self.grids = grids
        first = np.cumsum([0, *(grid.bins for grid in grids)])
        self.columns = [(start, int(grid.shape[0]), int(grid.shape[1] * grid.shape[2]))
                        for grid, start in zip(grids, first.tolist(), strict=False)]
        self.bins = int(first[-1])
        if 2 * self.bins > self.count.shape[0]:
            self.count, self.start = View(2 * self.bins, np.int32, self.space), View(2 * self.bins + 1, np.int32, self.space)
        self.parameters.set(np.concatenate([part for grid in grids for part in (grid.lo, 1.0 / grid.size)]))
        if not same:
            self.stencils_for, nothing = None, (0, 0, 0)
            self.shape.set([number for grid, start in zip(grids, first.tolist(), strict=False)
                            for number in (*grid.shape, start, self.bins, *nothing)])

    def use_stencils(self, stencils: list[tuple[int, int, int]], made_for: tuple[float, float]) -> None:
        """Which rows of stencils are for each grid: the first, how many, and how many come later than an atom's own."""
        rows = self.shape.now.reshape(-1, kernels.SHAPE).copy()
        rows[:, 5:] = stencils
        self.shape.set(rows.ravel())
        self.stencils_for = made_for

    def sort(self, x: View, owned: int, total: int | Counted, member: View | None = None) -> None:
        """Put atoms and ghosts into the bins: assign, offsets, permutation. member: whose an atom is, of many systems."""
        self.assign(x, owned, total, member)
        self.offsets()
        self.permutation(total)

    def assign(self, x: View, owned: int, total: int | Counted, member: View | None = None) -> None:
        parallel_for(self.space, 2 * self.bins, kernels.clear, self.count)
        parallel_for(self.space, total, ASSIGN[self.many], owned, x, self.order if member is None else member,
                     self.parameters.view, self.shape.view, self.bin, self.rank, self.count)

    def offsets(self) -> None:
        self.scan(2 * self.bins, self.count, self.start)

    def permutation(self, total: int | Counted) -> None:
        parallel_for(self.space, total, kernels.permute, self.bin, self.rank, self.start, self.order)
        if self.space.many_threads or self.space.threads > 1:
            parallel_for(self.space, 2 * self.bins, kernels.order_bin, self.start, self.order)

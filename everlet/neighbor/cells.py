"""Sorting atoms into bins, in five steps that can each be replaced and timed on their own:

    grid         how many bins of which size over which region
    assign       bin of each atom, its rank in the bin, atoms per bin
    offsets      first slot of each bin (prefix sum)
    permutation  atoms in bin order
    gather       their positions in bin order
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.neighbor import kernels
from everlet.portable import Kernel, Space, View, parallel_for, parallel_scan

PADDING = 64  # slots past the end that lanes may read


@dataclass
class Grid:
    """Bins of size `size` from `lo`, `shape` of them; z is the fastest index."""

    lo: np.ndarray
    size: np.ndarray
    shape: np.ndarray

    @property
    def bins(self) -> int:
        return int(np.prod(self.shape))

    def stencil(self, radius: float) -> np.ndarray:
        """Rows (da, db, dc) of bins that can hold something within `radius` of an atom in bin (0, 0, 0)."""
        reach = np.ceil(radius / self.size).astype(int)
        reach = np.minimum(reach, self.shape - 1)
        own: list[tuple[int, int, int]] = []  # rows in bin order: the atom's own, those after it, those before it
        later: list[tuple[int, int, int]] = []
        before: list[tuple[int, int, int]] = []
        for da in range(-reach[0], reach[0] + 1):
            for db in range(-reach[1], reach[1] + 1):
                gap2 = (max(abs(da) - 1, 0) * self.size[0]) ** 2 + (max(abs(db) - 1, 0) * self.size[1]) ** 2
                if gap2 < radius**2:
                    dc = int(np.floor(np.sqrt(radius**2 - gap2) / self.size[2])) + 1
                    row = (da, db, min(dc, int(self.shape[2])))
                    (own if da == db == 0 else later if (da, db) > (0, 0) else before).append(row)
        return np.array([*own, *later, *before], np.int64).reshape(-1, 3)


def make_grid(lo: np.ndarray, hi: np.ndarray, edge: float, atoms: int) -> Grid:
    """Bins of about `edge` over a region; larger ones where the region is far larger than its atoms need."""
    extent = np.maximum(hi - lo, 1e-300)
    most_bins = max(4 * atoms, 1000)
    shape = np.maximum(np.floor(extent / edge), 1.0)  # floats: a box blown up by a few wild atoms may have any size
    while np.prod(shape) > most_bins:
        edge *= 1.26
        shape = np.maximum(np.floor(extent / edge), 1.0)
    return Grid(lo, extent / shape, shape.astype(np.int64))


class Bins:
    """Atoms sorted into the bins of a grid; with `positions` also where they are, in that order."""

    def __init__(self, space: Space, positions: bool = True):
        self.space, self.positions = space, positions
        self.grid: Grid | None = None
        self.parameters = View(6, np.float64, space)
        self.shape = View(3, np.int64, space)
        self.count = View(0, np.int32, space)
        self.start = self.ghost_start = View(1, np.int32, space)
        self._reserve(0)

    def _reserve(self, atoms: int) -> None:
        rows = atoms + PADDING
        self.order = View(rows, np.int32, self.space)
        self.x, self.y, self.z = (View(rows if self.positions else 0, np.float64, self.space) for _ in range(3))
        # bins and ranks are done with before positions are gathered: they can share the memory of x
        self.shared = self.x if self.positions else View(rows, np.float64, self.space)
        both = self.shared.data.view(np.int32)
        self.bin, self.rank = both[:rows], both[rows:]

    @staticmethod
    def kernels() -> list[Kernel]:
        bodies = (kernels.assign_bins, kernels.permute, kernels.order_bin, kernels.gather_sorted)
        return [Kernel(body) for body in bodies]

    def sort(self, grid: Grid, x: View, atoms: int, ghosts: int = 0) -> None:
        """Put owned atoms and then ghosts into bins of their own: assign, offsets, permutation, gather.

        Slots [0:atoms] hold owned atoms in bin order, slots [atoms:atoms+ghosts] ghosts in bin order.
        """
        self.grid = grid
        if atoms + ghosts + PADDING > self.order.shape[0]:
            self._reserve(atoms + ghosts + ghosts // 20)
        if grid.bins > self.count.shape[0]:
            self.count = View(grid.bins, np.int32, self.space)
            self.start, self.ghost_start = (View(grid.bins + 1, np.int32, self.space) for _ in range(2))
        self.parameters.put(np.concatenate([grid.lo, 1.0 / grid.size]))
        self.shape.put(grid.shape)
        for first, count, start in ((0, atoms, self.start), (atoms, ghosts, self.ghost_start)):
            if count or not first:
                self.assign(x, first, count)
                self.offsets(grid, start)
                self.permutation(grid, first, count, start)
        if self.positions:
            self.gather(x, atoms + ghosts)

    def assign(self, x: View, first: int, count: int) -> None:
        self.count.data[:] = 0
        parallel_for(self.space, count, kernels.assign_bins, first, x, self.parameters, self.shape, self.bin, self.rank,
                     self.count)

    def offsets(self, grid: Grid, start: View) -> None:
        parallel_scan(self.space, self.count.data[: grid.bins], start)

    def permutation(self, grid: Grid, first: int, count: int, start: View) -> None:
        parallel_for(self.space, count, kernels.permute, first, self.bin, self.rank, start, self.order)
        if self.space.target == "cuda" or self.space.threads > 1:
            parallel_for(self.space, grid.bins, kernels.order_bin, first, start, self.order)

    def gather(self, x: View, count: int) -> None:
        parallel_for(self.space, count, kernels.gather_sorted, x, self.order, self.x, self.y, self.z)

    def bytes(self) -> int:
        views = (self.order, self.shared, self.y, self.z, self.count, self.start, self.ghost_start)
        return sum(view.data.nbytes for view in views)

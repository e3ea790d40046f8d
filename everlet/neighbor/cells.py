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
        rows = []
        for da in range(-reach[0], reach[0] + 1):
            for db in range(-reach[1], reach[1] + 1):
                gap2 = (max(abs(da) - 1, 0) * self.size[0]) ** 2 + (max(abs(db) - 1, 0) * self.size[1]) ** 2
                if gap2 < radius**2:
                    dc = int(np.floor(np.sqrt(radius**2 - gap2) / self.size[2])) + 1
                    rows.append((da, db, min(dc, int(self.shape[2]))))
        return np.array(rows, np.int64).reshape(-1, 3)


def make_grid(lo: np.ndarray, hi: np.ndarray, edge: float, atoms: int) -> Grid:
    """Bins of about `edge` over a region; larger ones where the region is far larger than its atoms need."""
    extent = np.maximum(hi - lo, 1e-300)
    most_bins = max(4 * atoms, 1000)
    shape = np.maximum((extent / edge).astype(np.int64), 1)
    while np.prod(shape.astype(float)) > most_bins:
        edge *= 1.26
        shape = np.maximum((extent / edge).astype(np.int64), 1)
    return Grid(lo, extent / shape, shape)


class Bins:
    """Atoms sorted into the bins of a grid."""

    def __init__(self, space: Space):
        self.space = space
        self.grid: Grid | None = None
        self.parameters = View(6, np.float64, space)
        self.shape = View(3, np.int64, space)
        self.count = View(0, np.int32, space)
        self.start = View(1, np.int32, space)
        self._reserve(0)

    def _reserve(self, atoms: int) -> None:
        rows = int(atoms * 1.2) + PADDING
        self.bin, self.rank, self.order = (View(rows, np.int32, self.space) for _ in range(3))
        self.x, self.y, self.z = (View(rows, np.float64, self.space) for _ in range(3))

    @staticmethod
    def kernels() -> list[Kernel]:
        bodies = (kernels.assign_bins, kernels.permute, kernels.order_bin, kernels.gather_sorted)
        return [Kernel(body) for body in bodies]

    def sort(self, grid: Grid, x: View, atoms: int) -> None:
        """Put `atoms` rows of x into bins: assign, offsets, permutation, gather."""
        self.grid = grid
        if atoms + PADDING > self.order.shape[0]:
            self._reserve(atoms)
        if grid.bins > self.count.shape[0]:
            self.count, self.start = View(grid.bins, np.int32, self.space), View(grid.bins + 1, np.int32, self.space)
        self.parameters.put(np.concatenate([grid.lo, 1.0 / grid.size]))
        self.shape.put(grid.shape)
        self.assign(x, atoms)
        self.offsets(grid)
        self.permutation(grid, atoms)
        self.gather(x, atoms)

    def assign(self, x: View, atoms: int) -> None:
        self.count.data[:] = 0
        parallel_for(self.space, atoms, kernels.assign_bins, x, self.parameters, self.shape, self.bin, self.rank, self.count)

    def offsets(self, grid: Grid) -> None:
        parallel_scan(self.space, self.count.data[: grid.bins], self.start)

    def permutation(self, grid: Grid, atoms: int) -> None:
        parallel_for(self.space, atoms, kernels.permute, self.bin, self.rank, self.start, self.order)
        if self.space.target == "cuda" or self.space.threads > 1:
            parallel_for(self.space, grid.bins, kernels.order_bin, self.start, self.order)

    def gather(self, x: View, atoms: int) -> None:
        parallel_for(self.space, atoms, kernels.gather_sorted, x, self.order, self.x, self.y, self.z)

    def bytes(self) -> int:
        views = (self.bin, self.rank, self.order, self.x, self.y, self.z, self.count, self.start)
        return sum(view.data.nbytes for view in views)

"""Neighbour lists: half (each pair once) or full (every neighbour of every atom), rebuilt when atoms have moved.

A list is one row of indices per owned atom, of fixed capacity; entry k of row i is neigh[i*si + k*sk]. Rows are
contiguous on CPUs (lanes read along a row) and interleaved on GPUs (threads read across rows). A row that does not fit
is counted to its end, the capacity is raised and the build repeated: nothing is ever lost.
"""

from __future__ import annotations

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import RunError
from everlet.neighbor import kernels
from everlet.neighbor.cells import PADDING, Bins, make_grid
from everlet.neighbor.decide import Decision, NeighborSettings
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.state.system import System

MODES = {("full", True): 0, ("full", False): 0, ("half", True): 1, ("half", False): 2}  # the kernel's HALF
SORTERS = {np.dtype(np.float64): kernels.sort_rows, np.dtype(np.int32): kernels.sort_rows_i32,
           np.dtype(np.int64): kernels.sort_rows_i64}


class Neighbor:
    """The neighbour list of a system, its bins and the decision when to rebuild."""

    def __init__(self, system: System, settings: NeighborSettings, kind: str = "half"):
        self.system, self.settings, self.kind = system, settings, kind
        self.decision = Decision(settings)
        self.bins = Bins(system.space)
        self.room = 0  # capacity of a row
        self.si = self.sk = 0
        self.neigh = View(PADDING, np.int32, system.space)
        self.count = View(0, np.int32, system.space)
        self.held = View(0, np.float64, system.space)
        self.stencil = View((1, 3), np.int64, system.space)
        self.cutoff = 0.0

    @property
    def skin(self) -> float:
        return self.settings.skin if self.settings.skin >= 0 else self.system.units.skin

    @property
    def radius(self) -> float:
        """The list radius: force cutoff and skin."""
        return self.cutoff + self.skin

    def kernels(self) -> list[Kernel]:
        """What this part compiles, for compiling ahead."""
        found = [*Bins.kernels(), self._build_kernel(), Kernel(kernels.keep_positions)]
        found += [Kernel(kernels.moved_too_far, sums=1)] if self.settings.check else []
        found += [Kernel(body) for body in SORTERS.values()] if self.system.sort_every else []
        return found

    def _build_kernel(self) -> Kernel:
        half = MODES[self.kind, self.system.newton]
        return Kernel(kernels.build_list, sums=1, statics=(("HALF", half),))

    def should_rebuild(self) -> bool:
        """Called once per step."""
        if not self.decision.due():
            return False
        if not self.settings.check:
            return True
        if not self._moved():
            return False
        self.decision.checked()
        return True

    def _moved(self) -> bool:
        atoms = self.system.atoms
        limit = 0.25 * self.skin**2
        moved = parallel_reduce(self.system.space, atoms.n, Kernel(kernels.moved_too_far, sums=1), atoms.view("x"),
                                self.held, limit)
        return bool(moved[0])

    def rebuild(self, comm: SerialComm, count: bool = True) -> None:
        """Exchange, sort, ghosts, bins, list."""
        system = self.system
        comm.exchange(system)
        if system.sort_every and system.step >= system.next_sort:
            self.sort_atoms()
            system.next_sort = (system.step // system.sort_every + 1) * system.sort_every
        comm.borders(system, self.radius)
        self.build(comm)
        self.decision.built(count)

    def sort_atoms(self) -> None:
        """Put owned atoms into the order of their bins, so that neighbours are close in memory."""
        system, atoms, space = self.system, self.system.atoms, self.system.space
        self._bin(atoms.n, ghosts=False)
        for field in atoms.fields.values():
            old = field.view.on_device(modify=True)
            new = old.mirror(space)
            new.data[:] = old.data
            parallel_for(space, atoms.n, SORTERS[old.dtype], self.bins.order, old, new.data, old.width)
            field.view.device.data[:] = new.data

    def _bin(self, atoms: int, ghosts: bool) -> None:
        system = self.system
        box = system.need_box()
        edge = self.settings.binsize or 0.5 * self.radius or float(box.lengths.max())
        lo, hi = box.extended(self.radius if ghosts else 0.0)
        if box.dimension == 2:
            lo[2], hi[2] = box.lo[2], box.hi[2]
        grid = make_grid(lo, hi, edge, atoms)
        if box.dimension == 2:
            grid.size[2] *= grid.shape[2]
            grid.shape[2] = 1
        self.bins.sort(grid, system.atoms.view("x"), atoms)

    def build(self, comm: SerialComm) -> None:
        """The list for the present positions and ghosts."""
        system, atoms, space = self.system, self.system.atoms, self.system.space
        self._bin(atoms.total, ghosts=True)
        grid, bins = self.bins.grid, self.bins
        assert grid is not None
        rows = grid.stencil(self.radius)
        self.stencil = View(rows.shape, np.int64, space)
        self.stencil.put(rows)
        if self.held.shape[0] < 3 * atoms.n:
            self.held = View(3 * atoms.capacity, np.float64, space)
        while True:
            self._reserve(atoms.n)
            overflow = parallel_reduce(
                space, atoms.n, self._build_kernel(), atoms.n, atoms.view("x"), bins.x, bins.y, bins.z, bins.order,
                bins.start, bins.parameters, bins.shape, self.stencil, len(rows), self.radius**2, comm.upper, self.si,
                self.sk, self.room, self.neigh, self.count)
            if not overflow[0]:
                break
            self._grow(atoms.n)
        parallel_for(space, atoms.n, kernels.keep_positions, atoms.view("x"), self.held)

    def _reserve(self, n: int) -> None:
        """Rows for n atoms; the first capacity comes from the mean density."""
        if not self.room:
            box = self.system.need_box()
            r = self.radius
            ball = np.pi * r**2 if box.dimension == 2 else 4.0 / 3.0 * np.pi * r**3
            mean = ball * n / box.volume / (1.0 if self.kind == "full" else 2.0)
            self.room = 8 * (int(min(1.3 * mean, self.settings.one)) // 8) + 24
        if self.count.shape[0] < n:
            self.count = View(self.system.atoms.capacity, np.int32, self.system.space)
        pitch = self.room + 16  # a last, partly stored step of lanes stays inside the row
        on_gpu = self.system.space.target == "cuda"
        rows = max(self.system.atoms.capacity, n)
        if self.neigh.shape[0] < rows * pitch + PADDING:
            self.neigh = View(rows * pitch + PADDING, np.int32, self.system.space)
        self.si, self.sk = (1, rows) if on_gpu else (pitch, 1)

    def _grow(self, n: int) -> None:
        most = int(self.count.data[:n].max())
        if most > self.settings.one:
            row = int(self.count.data[:n].argmax())
            atom = self.system.atoms.read("id")[row]
            raise RunError(f"atom {atom} has {most} neighbours at step {self.system.step}, more than the limit {self.settings.one}",
                           "atoms may be collapsing or the cutoff is too long for the density; "
                           "if it is meant, use neigh_modify one N (and page 10 N)")
        self.room = 8 * (most * 11 // 80) + 16

    def pairs(self) -> int:
        """Entries of the list."""
        return int(self.count.data[: self.system.atoms.n].sum())

    def bytes(self) -> int:
        return self.neigh.data.nbytes + self.count.data.nbytes + self.held.data.nbytes + self.bins.bytes()

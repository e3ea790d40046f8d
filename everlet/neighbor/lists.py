"""Neighbour lists: half (each pair once) or full (every neighbour of every atom), rebuilt when atoms have moved.

A list is one row of indices per owned atom. Rows of fixed capacity: entry k of row i is neigh[i*si + k*sk], contiguous
on CPUs (lanes read along a row) and interleaved on GPUs (threads read across rows). Packed rows (CPUs): they follow each
other, and row i begins at neigh[8*first[i]]. A row that does not fit is counted to its end, the capacity is raised and
the build repeated: nothing is ever lost.
"""

from __future__ import annotations

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import RunError
from everlet.neighbor import kernels
from everlet.neighbor.cells import PADDING, Bins, make_grid
from everlet.neighbor.decide import Decision, NeighborSettings
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.kernels import lane_width
from everlet.portable.targets import BLOCK
from everlet.state.system import System

FAR = 1.0e12  # where the atom is that fills up rows: beyond any cutoff, its square still a float32
SORTERS = {np.dtype(np.float64): kernels.sort_rows, np.dtype(np.int32): kernels.sort_rows_i32,
           np.dtype(np.int64): kernels.sort_rows_i64}


def _spare(atoms: int, before: int) -> int:
    """Rows for so many owned atoms: exactly as many at first, with room to spare once their number has grown."""
    return atoms if before == 0 else int(1.2 * atoms) + 16


class Neighbor:
    """The neighbour list of a system, its bins and the decision when to rebuild."""

    def __init__(self, system: System, settings: NeighborSettings, kind: str = "half", rows: bool = True,
                 packed: bool = False):
        self.system, self.settings, self.kind = system, settings, kind
        self.rows = rows  # make a list; otherwise ghosts only
        self.packed = packed and system.space.target != "cuda"  # rows follow each other: fewest bytes
        self.decision = Decision(settings)
        self.bins = Bins(system.space, positions=rows)
        self.room = 0  # capacity of a row, or of the rows of a block if they are packed
        self.si = self.sk = 0
        self.neigh = View(PADDING, np.int32, system.space)
        self.count = View(0, np.int32, system.space)
        self.first = self.used = View(0, np.int32, system.space)  # packed: where rows begin, places used in each block
        self.held = View(0, np.float64, system.space)
        self.stencil = View((1, 3), np.int64, system.space)
        self.cutoff = 0.0

    @property
    def skin(self) -> float:
        return self.settings.skin if self.settings.skin >= 0 else self.settings.tuned_skin or self.system.units.skin

    @property
    def radius(self) -> float:
        """The list radius: force cutoff and skin."""
        return self.cutoff + self.skin

    @property
    def ghost_cutoff(self) -> float:
        """How far ghosts reach: the list radius, or further if comm_modify asks for it."""
        return max(self.radius, self.settings.comm_cutoff)

    @property
    def upper(self) -> bool:
        """Half of the ghosts suffice: each pair is in one row only."""
        return self.kind == "half" and self.system.newton

    def kernels(self) -> list[Kernel]:
        """What this part compiles, for compiling ahead."""
        found = [*Bins.kernels(), Kernel(kernels.keep_positions)]
        found += [self._build_kernel()] if self.rows else []
        found += [Kernel(kernels.moved_too_far, sums=1)] if self.settings.check else []
        found += [Kernel(body) for body in SORTERS.values()] if self.system.sort_every else []
        return found

    @property
    def _lanes(self) -> int:
        """Rows are filled up to multiples of this: the lanes of the force loop."""
        return lane_width(self.system.space.target, self.system.precision)

    @property
    def _grain(self) -> int:
        """Packed rows begin at multiples of this."""
        return max(self._lanes, 8)

    @property
    def _spill(self) -> int:
        """Places after a row into which a last, partly stored step of lanes may write."""
        return max(lane_width(self.system.space.target, "double"), self._lanes)

    def _build_kernel(self) -> Kernel:
        target = self.system.space.target
        statics = (("HALF", self.kind == "half"), ("BRANCH", target != "cpu"), ("LANES", self._lanes),
                   ("GRAIN", self._grain), ("PACKED", self.packed), ("BLOCK", BLOCK), ("SPILL", self._spill))
        return Kernel(kernels.build_list, sums=1, statics=statics)

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
        if self.held.shape[0] < 3 * atoms.n:  # the check was switched on after the last build
            return True
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
        comm.borders(system, self.ghost_cutoff, self.upper)
        self.build()
        self.decision.built(count)

    def sort_atoms(self) -> None:
        """Put owned atoms into the order of their bins, so that neighbours are close in memory."""
        atoms, space = self.system.atoms, self.system.space
        self._bin(ghosts=False)
        for field in atoms.fields.values():
            old = field.view.on_device(modify=True)
            new = old.mirror(space)
            new.data[:] = old.data
            parallel_for(space, atoms.n, SORTERS[old.dtype], self.bins.order, old, new.data, old.width)
            field.view.device.data[:] = new.data

    def _bin(self, ghosts: bool) -> None:
        system, atoms = self.system, self.system.atoms
        box = system.need_box()
        edge = self.settings.binsize or self.settings.bins * self.radius or float(box.lengths.max())
        if ghosts and self.settings.style == "nsq":
            edge = np.inf  # one bin: every pair is tested
        lo, hi = box.extended(self.ghost_cutoff if ghosts else 0.0)
        if box.dimension == 2:
            lo[2], hi[2] = box.lo[2], box.hi[2]
        grid = make_grid(lo, hi, edge, atoms.total)
        if box.dimension == 2:
            grid.size[2] *= grid.shape[2]
            grid.shape[2] = 1
        self.bins.sort(grid, atoms.view("x"), atoms.n, atoms.nghost if ghosts else 0)

    def build(self) -> None:
        """The list for the present positions and ghosts."""
        if self.rows:
            self._bin(ghosts=True)
            self._fill_rows()
        self._keep_positions()
        self._place_filler()

    def _keep_positions(self) -> None:
        """Where atoms are now, for the check how far they have moved; `held` is empty if there is none."""
        atoms, space = self.system.atoms, self.system.space
        if not self.settings.check:
            self.held = View(0, np.float64, space)
            return
        if self.held.shape[0] < 3 * atoms.n:
            self.held = View(3 * _spare(atoms.n, self.held.shape[0] // 3), np.float64, space)
        parallel_for(space, atoms.n, kernels.keep_positions, atoms.view("x"), self.held)

    def _fill_rows(self) -> None:
        """The rows of the list from the bins."""
        atoms, space, bins = self.system.atoms, self.system.space, self.bins
        assert bins.grid is not None
        rows = bins.grid.stencil(self.radius)
        later = sum((a, b) > (0, 0) for a, b, _ in rows.tolist())
        self.stencil = View(rows.shape, np.int64, space)
        self.stencil.put(rows)
        while True:
            self._reserve(atoms.n)
            overflow = parallel_reduce(
                space, atoms.n, self._build_kernel(), atoms.n, atoms.nghost, bins.x, bins.y, bins.z, bins.order,
                bins.start, bins.ghost_start, bins.parameters, bins.shape, self.stencil, len(rows), later,
                self.radius**2, self.si, self.sk, self.room, self.neigh, self.count, self.used, self.first)
            if not overflow[0]:
                break
            self._grow(atoms.n)

    def _place_filler(self) -> None:
        """The row after the last ghost stands for 'no atom': far away, of no type."""
        atoms = self.system.atoms
        atoms.reserve(atoms.total + 1)
        row = atoms.total
        atoms.view("x", modify=True).data[4 * row : 4 * row + 4] = FAR
        atoms.view("type", modify=True).data[row] = 0

    def _reserve(self, n: int) -> None:
        """Rows for n atoms; the first capacity comes from the mean density."""
        space = self.system.space
        if self.count.shape[0] < n:
            rows = _spare(n, self.count.shape[0])
            self.count = View(rows, np.int32, space)
            if self.packed:
                self.first, self.used = View(rows, np.int32, space), View(-(-rows // BLOCK), np.int32, space)
        if not self.room:
            box = self.system.need_box()
            r = self.radius
            ball = np.pi * r**2 if box.dimension == 2 else 4.0 / 3.0 * np.pi * r**3
            mean = min(ball * n / box.volume / (1.0 if self.kind == "full" else 2.0), self.settings.one)
            self.room = self._room(min(n, BLOCK) * (mean + self._grain / 2) if self.packed else 1.2 * mean)
        rows = self.count.shape[0]
        places = self.room * (-(-rows // BLOCK) if self.packed else rows) + PADDING
        if self.neigh.shape[0] < places:
            self.neigh = View(places, np.int32, space)
        self.si, self.sk = (1, rows) if space.target == "cuda" else (self.room, 1)

    def _room(self, places: float) -> int:
        """In whole steps of lanes, and what may be spilled."""
        return 8 * (int(places) // 8 + 1) + self._spill

    def _grow(self, n: int) -> None:
        counts = self.system.space.to_host(self.count.data[:n])
        most = int(counts.max())
        if most > self.settings.one:
            atom = self.system.atoms.read("id")[int(counts.argmax())]
            raise RunError(f"atom {atom} has {most} neighbours at step {self.system.step}, more than the limit "
                           f"{self.settings.one}",
                           "atoms may be collapsing or the cutoff is too long for the density; "
                           "if it is meant, use neigh_modify one N (and page 10 N)")
        if self.packed:
            filled = -(-counts[self.bins.order.data[:n]] // self._grain) * self._grain
            most = int(np.add.reduceat(filled, np.arange(0, n, BLOCK)).max())
        self.room = self._room(1.03 * most)

    def pairs(self) -> int:
        """Entries of the list; 0 without one."""
        if not self.rows:
            return 0
        return int(self.count.data[: self.system.atoms.n].sum())

    def bytes(self) -> int:
        return self.bins.bytes() + sum(view.data.nbytes for view in (self.neigh, self.count, self.first, self.used, self.held))

"""Rows of neighbour lists: half (each pair once) or full (every neighbour of every atom).

A list is one row of indices per owned atom. Rows of fixed capacity: entry k of row i is neigh[i*si + k*sk], contiguous
on CPUs (lanes read along a row) and interleaved on GPUs (threads read across rows). Dense rows (CPUs): they follow each
other, and row i begins at neigh[8*first[i]]. A row that does not fit is counted to its end, the capacity is raised and
the build repeated: nothing is ever lost.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import RunError
from everlet.neighbor import block_loops, kernels
from everlet.neighbor.ahead import SLACK
from everlet.neighbor.block_loops import CANDIDATES, candidates
from everlet.neighbor.cells import Bins
from everlet.neighbor.corners import Corners
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.exclusions import Exclusions
from everlet.neighbor.fixed_point import Steps
from everlet.neighbor.grids import Grids
from everlet.portable import Constants, Counted, Kernel, View, parallel_for, parallel_team
from everlet.portable.backends.base import BLOCK
from everlet.portable.kernels import lane_width
from everlet.state.control import TOTAL, TROUBLE
from everlet.state.system import System

FAR = 1.0e12  # where the atom is that fills up rows: beyond any cutoff, its square still a float32
LONG_ROW = 256  # entries
PACK = tuple(Kernel(kernels.pack_sorted, statics=(("MANY", many),)) for many in (False, True))
ROOM = 1.2  # places of a row by the mean number of its entries
GRAIN = 8  # dense rows begin at multiples of this, or of more
TEAM_PAD = 16  # a multiple of the entries that a force loop takes at a time


def spare(atoms: int, before: int) -> int:
    """Rows for so many owned atoms: exactly as many at first, with room to spare once their number has grown."""
    return atoms if before == 0 else int(1.2 * atoms) + 16


class Rows:
    """The rows of a list, and the bins that they are made from."""

    def __init__(self, system: System, settings: NeighborSettings, kind: str = "half", rows: bool = True,
                 dense: bool = False, basis: str = "x"):
        self.system, self.settings, self.kind = system, settings, kind
        self.basis = basis  # the field of the positions that rows are made of
        self.rows = rows  # make a list; otherwise ghosts only
        self.dense = dense and not system.space.many_threads  # rows follow each other: fewest bytes
        self.steps = Steps(system)
        self.grids = Grids(self)
        self.bins = Bins(system.space, rows, self.grids.count, self.grids.many)
        self.room = 0  # capacity of a row, or of the rows of a block if they are dense
        self.si = self.sk = 0
        self.neigh = View(SLACK, np.int32, system.space)
        self.count = View(0, np.int32, system.space)
        self.first = self.used = View(1, np.int32, system.space)  # dense: where rows begin, places used in each block
        self.cutoff = 0.0
        self.corners = Corners(system.space)  # of the box at the last build
        self.made_for = Constants(3, system.space)  # edges of the box when the host made the grid of bins
        self.listed = 0  # atoms that have a row
        self._entries: int | None = None  # of all rows, once they are counted
        self.exclusions = Exclusions(system, settings.exclude)
        self.partners = False  # links look for their atoms among ghosts of several ranks: all must be there, `paired` in rows
        self.paired = 0

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
    def member(self) -> View:
        """Whose atoms are, of many systems; otherwise any numbers, which are not read."""
        return self.system.atoms.view("member" if self.grids.many else "type")

    @property
    def upper(self) -> bool:
        """Half of the ghosts suffice: each pair is in one row only."""
        return self.kind == "half" and self.system.newton

    @property
    def pad(self) -> int:
        """Rows are filled up to a whole number of so many entries."""
        space = self.system.space
        return TEAM_PAD if space.many_threads else lane_width(space.target, self.system.precision)

    @property
    def _grain(self) -> int:
        """Dense rows begin at multiples of this."""
        return max(self.pad, GRAIN)

    @property
    def _team(self) -> int:
        """Threads that fill a row."""
        space, atoms = self.system.space, self.system.atoms.n
        return space.team(atoms // 4, 16) if space.many_threads and self._mean() > LONG_ROW else space.team(atoms, 8)

    @property
    def _spill(self) -> int:
        """Places after a row into which a last, partly stored step of lanes may write, and what fills it up."""
        return max(lane_width(self.system.space.target, "single"), self._team, self.pad)

    def _build_kernel(self) -> Kernel:
        simd, team = self.system.space.simd, self._team
        statics = (("HALF", self.kind == "half"), ("BRANCH", not simd and team == 1), ("PAD", self.pad),
                   ("GRAIN", self._grain), ("DENSE", self.dense), ("BLOCK", BLOCK), ("SPILL", self._spill),
                   ("MANY", self.grids.many))
        if simd:
            size = (("SIZE", CANDIDATES + SLACK),)
            return Kernel(block_loops.build_list, precision="single", statics=(*statics, *size), league=True)
        return Kernel(kernels.build_list, precision="single", statics=statics, team=team, block=BLOCK if self.dense else 1)

    def build(self) -> None:
        """The list for the present positions and ghosts."""
        atoms, space = self.system.atoms, self.system.space
        self._place_filler()
        if not self.rows:
            return
        if space.queue is None:
            self.grids.fit()
            self.made_for.set(self.system.need_box().lengths)
        total = self.total()
        self.bins.sort(atoms.view(self.basis), atoms.n, total, self.member)
        self._fill_rows(total)

    def total(self) -> int | Counted:
        """Owned atoms and ghosts that are in rows; while loops are collected, and on a GPU, their number is known to the device
        alone."""
        atoms, space = self.system.atoms, self.system.space
        if self.upper and self.partners:
            return atoms.n + self.paired
        on_device = atoms.n > 0 and space.counts_on_device
        return Counted(TOTAL, atoms.capacity) if on_device else atoms.total

    def fit_steps(self) -> None:
        """Positions in steps cover the box, its ghosts, and where atoms can go until the next build."""
        self.steps.fit(self.ghost_cutoff + self.skin)

    def _fill_rows(self, total: int | Counted) -> None:
        """The rows of the list from the bins."""
        atoms, space, bins = self.system.atoms, self.system.space, self.bins
        if space.queue is None:
            self.grids.fit_stencils()
            self.grids.set_reach()
        self.listed = atoms.n
        slots, x, member = bins.order.shape[0], atoms.view(self.basis), self.member
        parallel_for(space, total, PACK[self.grids.many], x, member, bins.order, self.grids.origin.view, slots, bins.packed)
        while True:
            self._reserve(atoms.n)
            kernel = self._build_kernel()
            given = (x, member, self.filler, slots, bins.packed, bins.start, bins.parameters.view, bins.shape.view,
                     self.grids.stencil)
            made = (self.grids.reach2.view, self.si, self.sk, self.room, self.neigh, self.count, self.first, space.control)
            if kernel.league:
                parallel_team(space, -(-atoms.n // BLOCK), kernel, atoms.n, *given, candidates(bins.grids, self.radius), *made)
            else:
                parallel_for(space, atoms.n, kernel, *given, self.used, *made)
            if space.queue is not None or not space.read_control()[TROUBLE]:
                break
            space.reset_control()
            self._grow(atoms.n)
        if self.exclusions.needed:
            self.exclusions.apply(self)

    @property
    def filler(self) -> int:
        """The first of the rows of the atoms' arrays that stand for 'no atom': behind all that have one."""
        return self.system.atoms.capacity

    def _place_filler(self) -> None:
        """'No atom' is far away and of no type. The rows change only when arrays grow, and nothing else is there."""
        atoms = self.system.atoms
        if self.system.space.queue is None:
            atoms.view("x", modify=True).data[4 * self.filler :] = FAR
            atoms.view("type", modify=True).data[self.filler :] = 0

    def _reserve(self, n: int) -> None:
        """Rows for n atoms; the first capacity comes from the mean density."""
        space = self.system.space
        if self.count.shape[0] < n:
            rows = spare(n, self.count.shape[0])
            self.count = View(rows, np.int32, space)
            if self.dense:
                self.first, self.used = View(rows, np.int32, space), View(-(-rows // BLOCK), np.int32, space)
        if not self.room:
            mean = min(self._mean(), self.settings.one)
            self.room = self._room(min(n, BLOCK) * (mean + self._grain / 2) if self.dense else ROOM * mean)
        rows = self.count.shape[0]
        places = self.room * (-(-rows // BLOCK) if self.dense else rows) + SLACK
        if self.neigh.shape[0] < places:
            self.neigh = View(places, np.int32, space)
        self.si, self.sk = (1, rows) if space.many_threads else (self.room, 1)

    def _mean(self) -> float:
        """Entries of a row, at the mean density."""
        r = self.radius
        ball = np.pi * r**2 if self.system.dimension == 2 else 4.0 / 3.0 * np.pi * r**3
        return float(ball * self.system.atoms.n / self.system.own_volume / (1.0 if self.kind == "full" else 2.0))

    def _room(self, places: float) -> int:
        """So many places and what may be spilled, in whole steps of 8 (dense rows) and of what fills up rows."""
        return self._grain * (int(places + self._spill) // self._grain + 1)

    def _grow(self, n: int) -> None:
        counts = self.system.space.to_host(self.count.data[:n])
        most = int(counts.max())
        if most > self.settings.one:
            atom = self.system.atoms.read("id")[int(counts.argmax())]
            raise RunError(f"atom {atom} has {most} neighbours at step {self.system.step}, more than the limit "
                           f"{self.settings.one}",
                           "atoms may be collapsing or the cutoff is too long for the density; "
                           "if it is meant, use neigh_modify one N (and page 10 N)")
        if self.dense:
            filled = -(-counts[self.bins.order.data[:n]] // self._grain) * self._grain
            most = int(np.add.reduceat(filled, np.arange(0, n, BLOCK)).max())
        self.room = self._room(1.03 * most)

    def pairs(self) -> int:
        """Entries of the list; 0 without one."""
        if not self.rows:
            return 0
        if self._entries is None or self.system.space.replays:  # which rebuilds lists by itself
            self._entries = int(self.count.data[: self.listed].sum())
        return self._entries

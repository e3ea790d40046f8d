"""Clusters on GPUs: the atoms of an i-cluster share one row, and each atom of the row is read once for all of them.

    columns   the grid is cut into columns; owned atoms, ghosts below and ghosts above are in order of z, each by themselves
    clusters  I slots side by side, of owned atoms; the end of a column is filled up with a filler
    rows      per i-cluster: the clusters of J slots with an atom within the list radius of one of its atoms; J may be 1

A team of threads does the row of one i-cluster. Every pair is computed from both sides, so nobody writes to others'
forces. The host learns nothing about a build but whether rows were too short: steps and builds can be replayed.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes import clusters_teams_build as build
from everlet.forces.pair.schemes.base import PERCENT, Scheme, SchemeOptions
from everlet.forces.pair.schemes.clusters_grid import column_grid, parse_shape
from everlet.forces.pair.schemes.clusters_teams_loop import cluster_rows
from everlet.neighbor.cells import Bins
from everlet.neighbor.fixed_point import FixedPositions
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.scan import Scan
from everlet.portable.traits import WIDEST, powers
from everlet.state.control import TROUBLE
from everlet.state.ledger import Tally
from everlet.state.system import System

SHAPES = ("8x1", "4x1", "8x8", "8x4", "4x4")  # the default first
I_SIZES, J_SIZES = (1, 2, 4, 8), (1, 4, 8)
LEAST_TEAM = 8
WORTH_TRYING = 32_000  # atoms
SPILL = WIDEST  # places at the end of a row, for what fills it up and what lanes may write there
PADDING = 64  # slots past the end that lanes may read
MARGIN = 1e-9  # of the list radius


class TeamClusters(Scheme):
    """Rows of clusters, every pair from both sides."""

    pairs = "full"
    needs_list = False
    steady = True
    takes = ("branch", "shape")
    knobs: ClassVar = {"team": powers(WIDEST), "carveout": PERCENT}

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space = system.space
        self.i_size, self.j_size = parse_shape(SHAPES[0], I_SIZES, J_SIZES, space)
        self.fixed = FixedPositions(neighbor)
        self.bins, self.scan = Bins(space, positions=False), Scan(space)
        self.columns = self.near_rows = 0
        self.blocks = 0  # room for so many; the last one is empty
        self.room = 0  # places of a row
        self.counts, self.first = View(0, np.int32, space), View(1, np.int32, space)
        self.rows, self.count = View(0, np.int32, space), View(0, np.int32, space)
        self.stencil = View((1, 3), np.int64, space)
        self._stencil_of: Any = None  # what it was made for
        self._reserve(0)

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        """Smaller systems have too few clusters to keep a GPU busy."""
        return system.natoms >= WORTH_TRYING

    @classmethod
    def to_try(cls, system: System) -> dict[str, list[Any]]:
        """Fewer atoms make fewer pairs beyond the cutoff, more of them share what is read."""
        return {"shape": list(SHAPES)}

    def choose(self, options: SchemeOptions) -> None:
        super().choose(options)
        if options.shape:
            self.i_size, self.j_size = parse_shape(options.shape, I_SIZES, J_SIZES, self.system.space)
            self._reserve(0)

    @property
    def align(self) -> int:
        """Clusters and i-clusters both begin at multiples of this many slots."""
        return max(self.i_size, self.j_size)

    @property
    def slots(self) -> int:
        """All that have room, the empty block included."""
        return self.blocks * self.align

    @property
    def items(self) -> int:
        """I-clusters, at most: only the device knows how many there are."""
        return (self.system.atoms.n // self.align + self.columns) * (self.align // self.i_size)

    def _reserve(self, blocks: int) -> None:
        space = self.system.space
        self.blocks = blocks + 1
        slots = self.slots + PADDING
        self.member, self.home = View(slots, np.int32, space), View(self.blocks, np.int32, space)
        self.px, self.py, self.pz = (View(slots, np.float64, space) for _ in range(3))
        self.pitch = slots // self.j_size + PADDING
        self.boxes = View(6 * self.pitch if self.j_size > 1 else 1, np.float64, space)

    # ---- kernels
    def _kernel(self, body: object, team: int = 1) -> Kernel:
        statics = (("CI", self.i_size), ("JC", self.j_size), ("ALIGN", self.align), ("SPILL", SPILL), ("WIDEST", WIDEST))
        return Kernel(body, statics=statics, team=team)  # type: ignore[arg-type]

    def _lister(self) -> Kernel:
        """Of a column, about one step of a team is near."""
        return self._kernel(build.list_clusters, WIDEST // self.j_size)

    def _loop(self, tally: bool) -> Kernel:
        team = self.team or max(LEAST_TEAM, self.system.space.team(self.system.atoms.n // self.i_size, WIDEST))
        branch = self.options.branch is not False  # most pairs are beyond the cutoff
        statics = (*self.parameters.statics, ("CI", self.i_size), ("JC", self.j_size), ("ALIGN", self.align), ("EV", tally),
                   ("BRANCH", branch), ("FIXED", self.fixed.used), ("ADD", self.adds))
        return Kernel(cluster_rows, 7 if tally else 0, self.system.precision, self.parameters.fields, team, statics,
                      width=self.j_size if self.j_size > 1 else 0, carveout=self.carveout)

    # ---- clusters and rows
    def rebuilt(self) -> None:
        atoms, space, near, bins = self.system.atoms, self.system.space, self.neighbor, self.bins
        self.fixed.prepare()
        if space.queue is None:
            self._fit()
        total, nz = near.total(), int(bins.grid.shape[2]) if bins.grid is not None else 0
        bins.sort(atoms.view("x"), atoms.n, total)
        parallel_for(space, 3 * self.columns, self._kernel(build.count_blocks), self.columns, nz, bins.start, self.counts)
        self.scan(3 * self.columns, self.counts, self.first)
        parallel_for(space, self.slots - self.align, self._kernel(build.fill_slot), self.columns, nz, near.filler,
                     atoms.view("x"), bins.start, bins.order, self.first, self.member, self.home, self.px, self.py, self.pz)
        if self.j_size > 1:
            parallel_for(space, self.slots // self.j_size, self._kernel(build.bound_cluster), self.columns, near.filler,
                         self.first, self.member, self.px, self.py, self.pz, self.pitch, self.boxes)
        self._fill_rows()

    def _fit(self) -> None:
        """The grid for the present box, and room for all that the arrays of atoms can hold."""
        atoms, space, near, align = self.system.atoms, self.system.space, self.neighbor, self.align
        grid = column_grid(self.system, near.ghost_cutoff, align)
        self.bins.set_grid(grid, atoms.capacity)
        self.columns = int(grid.shape[0] * grid.shape[1])
        if self.counts.shape[0] < 3 * self.columns:
            self.counts, self.first = View(3 * self.columns, np.int32, space), View(3 * self.columns + 1, np.int32, space)
        most = atoms.capacity // align + 3 * self.columns  # each section may have one that is not full
        if self.blocks <= most:
            self._reserve(most)
        self.member.data[self.slots - align :] = near.filler
        key = (near.radius, *grid.size.tolist(), *grid.shape.tolist())
        if key != self._stencil_of:
            rows = grid.stencil(near.radius)
            self.near_rows, self._stencil_of = len(rows), key
            self.stencil = View(rows.shape, np.int64, space)
            self.stencil.put(rows)

    def _fill_rows(self) -> None:
        space, near, bins = self.system.space, self.neighbor, self.bins
        empty = near.filler if self.j_size == 1 else self.slots // self.j_size - 1
        while True:
            if space.queue is None:
                self._reserve_rows()
            parallel_for(space, self.items, self._lister(), self.columns, near.filler, empty, bins.parameters.view,
                         bins.shape.view, self.stencil, self.near_rows, near.radius * (1.0 + MARGIN), bins.start,
                         self.first, self.member, self.home, self.px, self.py, self.pz, self.pitch, self.boxes, self.room,
                         self.rows, self.count, space.control)
            if space.queue is not None or not space.read_control()[TROUBLE]:
                return
            space.reset_control()
            most = int(space.to_host(self.count.data[: self.items]).max())
            self.room = self._room(1.05 * most)

    @staticmethod
    def _room(places: float) -> int:
        return 8 * (int(places + SPILL) // 8 + 1)

    def _reserve_rows(self) -> None:
        """The first capacity comes from the mean density around a cube of I atoms."""
        atoms, box, space, r = self.system.atoms, self.system.need_box(), self.system.space, self.neighbor.radius
        if not self.room:
            density = max(atoms.n, 1) / box.volume
            edge = (self.i_size * self.j_size / density) ** (1 / 2 if box.dimension == 2 else 1 / 3)
            around = edge**2 + 4 * edge * r + np.pi * r**2
            if box.dimension == 3:
                around = edge**3 + 6 * edge**2 * r + 3 * np.pi * edge * r**2 + 4 / 3 * np.pi * r**3
            self.room = self._room(min(density * around, self.neighbor.settings.one) / self.j_size)
        if self.count.shape[0] < self.items:
            self.count = View(self.items, np.int32, space)
        if self.rows.shape[0] < self.items * self.room + PADDING:
            self.rows = View(self.items * self.room + PADDING, np.int32, space)

    # ---- every step
    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        system, atoms, near, par = self.system, self.system.atoms, self.neighbor, self.parameters
        if self.fixed.used:
            self.fixed.update()
        arguments = (self.columns, near.filler, atoms.view("x"), self.fixed.view, self.fixed.length, atoms.view("type"),
                     self.first, self.member, self.room, self.rows, self.count, par.table, par.data, par.kinds,
                     atoms.view("f", modify=True))
        if tally is None:
            parallel_for(system.space, self.items, self._loop(False), *arguments)
        else:
            tally.reduce(system.space, self.items, self._loop(True), *arguments)

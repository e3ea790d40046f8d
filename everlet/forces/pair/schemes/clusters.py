"""Cluster scheme: i-clusters of I atoms meet clusters of W atoms, which are W SIMD lanes; the shape is I x W.

Positions lie cluster-wise in memory (x of W atoms, then y, then z), so the force loop has no gathers: lanes are loaded
and stored side by side. In return it computes four to five times the pairs within the cutoff. Clusters are made anew at
every neighbour build:

    columns   the grid is cut into columns of about W atoms per cube, atoms in order of z inside
    clusters  W atoms each along a column; a last, partly filled one is padded with empty slots
    rows      for each i-cluster (I slots) the clusters with an atom within the list radius, each pair once

Any number of threads gives the same bits: threads share slabs of columns, and slabs that are computed at the same time
are so far apart that they write to different clusters. GPUs have a way of their own (clusters_teams.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes import clusters_build as build
from everlet.forces.pair.schemes.base import Scheme, SchemeOptions, pair_scheme
from everlet.forces.pair.schemes.clusters_grid import column_grid, parse_shape
from everlet.forces.pair.schemes.clusters_loop import cluster_loop
from everlet.forces.pair.schemes.clusters_teams import TeamClusters
from everlet.forces.pair.schemes.slabs import cut
from everlet.neighbor.cells import Bins, Grid
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, View, parallel_for, parallel_reduce, parallel_scan, parallel_team
from everlet.portable.kernels import lane_width
from everlet.portable.language.dtypes import dtype
from everlet.state.ledger import Tally
from everlet.state.system import System

ATOMS = 4  # of an i-cluster, if no shape is given
I_SIZES, J_SIZES = (1, 2, 4, 8), (2, 4, 8, 16, 32)
SECTIONS = 2  # ghosts below and above the box must not share a cluster
MOST_THREADS = 1000  # that slabs are made for, where there is room
SPARE = 1.2  # spare capacity when a buffer must grow


@pair_scheme("clusters")
class Clusters(Scheme):
    """Pairs of clusters, each once."""

    pairs = "half"
    needs_list = False
    takes = ("branch", "shape")

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space = system.space
        self.i_size, self.width = ATOMS, lane_width(space.target, system.precision)
        self.bins = Bins(space, positions=False)
        self.owned = self.ghosts = 0  # clusters
        self.room = 0  # clusters in the arrays
        self.pitch = 16  # capacity of a row
        self._reserve(0)
        self.rows, self.count = View(0, np.int32, space), View(0, np.int32, space)
        self.stencil = View((1, 3), np.int64, space)
        self.slab, self.total = View(2, np.int64, space), View(7, np.float64, space)
        self.slabs = self.colours = 1
        self.column = self.ghost_column = View(1, np.int32, space)  # first cluster of each column

    @classmethod
    def on(cls, space: Space) -> type[Scheme]:
        return TeamClusters if space.many_threads else cls

    def choose(self, options: SchemeOptions) -> None:
        super().choose(options)
        if options.shape:
            self._set_shape(options.shape)

    def _set_shape(self, shape: str) -> None:
        """I x J atoms; J is the number of SIMD lanes, one where code is not compiled."""
        lanes = J_SIZES if self.system.space.simd else (1,)
        self.i_size, self.width = parse_shape(shape, I_SIZES, lanes, self.system.space)
        self._reserve(0)

    @classmethod
    def to_try(cls, system: System) -> dict[str, list[Any]]:
        """Fewer atoms make fewer pairs beyond the cutoff, more of them share what is loaded."""
        width = lane_width(system.space.target, system.precision)
        return {"shape": [f"{i}x{width}" for i in (4, 2, 1, 8)] if system.space.simd else []}

    @property
    def align(self) -> int:
        """Clusters and i-clusters both begin at multiples of this many slots."""
        return max(self.width, self.i_size)

    def _reserve(self, clusters: int) -> None:
        space, real = self.system.space, dtype("real", self.system.precision)
        self.room = int(SPARE * clusters) + 1
        slots = self.room * self.width
        self.member, self.kind = (View(slots, np.int32, space) for _ in range(2))
        self.home = View(self.room, np.int32, space)
        self.boxes = View(6 * self.room, np.float64, space)
        self.origin = View(3 * self.room if self.relative else 1, np.float64, space)
        self.x, self.force = (View(3 * slots, real, space) for _ in range(2))

    @property
    def relative(self) -> bool:
        """Coordinates are offsets from a point of the cluster: float32 numbers keep their digits far from zero."""
        return self.system.precision != "double"

    # ---- kernels
    def _kernel(self, body: object, sums: int = 0) -> Kernel:
        statics = (("CI", self.i_size), ("ALIGN", self.align), ("RELATIVE", self.relative),
                   ("ROUNDING", 1.0 + 1e-5 * self.relative), ("ADD", self.adds))
        return Kernel(body, sums, self.system.precision, statics=statics, width=self.width)  # type: ignore[arg-type]

    def _loop(self, tally: bool) -> Kernel:
        # on NEON looking for a near lane first saves a tenth in double, but costs a tenth in float
        branch = self.options.branch if self.options.branch is not None else not self.relative
        statics = (*self.parameters.statics, ("CI", self.i_size), ("WIDTH", self.width), ("RELATIVE", self.relative),
                   ("NEWTON", self.system.newton), ("EV", tally), ("BRANCH", branch))
        return Kernel(cluster_loop, 0, self.system.precision, self.parameters.fields, statics=statics, league=True,
                      width=self.width)

    # ---- clusters and rows
    def rebuilt(self) -> None:
        atoms, near = self.system.atoms, self.neighbor
        grid = column_grid(self.system, near.ghost_cutoff, self.align)
        self.bins.set_grid(grid, atoms.total)
        self.bins.sort(atoms.view("x"), atoms.n, atoms.total)
        starts = [(self.bins.start.data, 1)] + ([(self.bins.start.data[grid.bins :], SECTIONS)] if atoms.nghost else [])
        firsts = [self._count(grid, start, sections) for start, sections in starts]
        self.owned, self.ghosts = firsts[0][1], firsts[1][1] if atoms.nghost else 0
        self.column, self.ghost_column = firsts[0][0], firsts[-1][0]
        if self.owned + self.ghosts > self.room:
            self._reserve(self.owned + self.ghosts)
        base = 0
        for (start, sections), (first, clusters) in zip(starts, firsts, strict=True):
            self._fill(grid, start, sections, first, base)
            base = clusters
        self._refresh()
        near_bins = grid.stencil(near.radius)
        self._make_slabs(grid, int(near_bins[:, 0].max(initial=1)))
        self._fill_rows(grid, near_bins)

    def _count(self, grid: Grid, start: Any, sections: int) -> tuple[View, int]:
        """The first cluster of each section of each column, and the number of clusters."""
        columns = int(grid.shape[0] * grid.shape[1]) * sections
        space = self.system.space
        counts, first = View(columns, np.int32, space), View(columns + 1, np.int32, space)
        parallel_for(space, columns, self._kernel(build.count_clusters), sections, int(grid.shape[2]), start, counts)
        return first, parallel_scan(space, counts, first)

    def _fill(self, grid: Grid, start: Any, sections: int, first: View, base: int) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, first.shape[0] - 1, self._kernel(build.fill_clusters), sections,
                     int(grid.shape[2]), start, self.bins.order, first, base, atoms.view("x"), atoms.view("type"),
                     self.member, self.kind, self.home, self.boxes)

    def _make_slabs(self, grid: Grid, reach: int) -> None:
        """Slabs of columns with owned atoms, no thinner than the rows reach; they begin with whole clusters."""
        first = self.column.get()[:: int(grid.shape[1])]  # by the column's place along x
        edges, self.colours = cut(first, reach, MOST_THREADS)
        self.slabs = len(edges) - 1
        self.slab = View(self.slabs + 1, np.int64, self.system.space)
        self.slab.put(first[edges].astype(np.int64) * self.width // self.i_size)
        self.total = View(7 * self.slabs, np.float64, self.system.space)

    def _fill_rows(self, grid: Grid, near_bins: np.ndarray) -> None:
        space, atoms = self.system.space, self.system.atoms
        later = sum((a, b) > (0, 0) for a, b, _ in near_bins.tolist())
        self.stencil = View(near_bins.shape, np.int64, space)
        self.stencil.put(near_bins)
        blocks = self.owned * self.width // self.i_size
        if self.count.shape[0] < blocks:
            self.count = View(int(SPARE * blocks) + 1, np.int32, space)
        while True:
            if self.rows.shape[0] < blocks * self.pitch:
                self.rows = View(int(SPARE * blocks * self.pitch) + 1, np.int32, space)
            overflow = parallel_reduce(
                space, blocks, self._kernel(build.build_rows, 1), self.owned, self.ghosts, atoms.view("x"), self.member,
                self.x, self.origin, self.boxes, self.home, self.column, self.ghost_column, int(grid.shape[0]),
                int(grid.shape[1]), self.stencil, len(near_bins), later, self.neighbor.radius, float(grid.size[2]),
                self.pitch, self.rows, self.count)
            if not overflow[0]:
                return
            self.pitch = int(1.1 * int(self.count.data[:blocks].max())) + 4

    # ---- every step
    def _refresh(self) -> None:
        parallel_for(self.system.space, self.owned + self.ghosts, self._kernel(build.refresh),
                     self.system.atoms.view("x"), self.member, self.x, self.force, self.origin)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        space, par = self.system.space, self.parameters
        self._refresh()
        kernel = self._loop(tally is not None)
        for colour in range(self.colours):
            slabs = -(-(self.slabs - colour) // self.colours)
            parallel_team(space, slabs, kernel, colour, self.colours, self.slab, self.owned, self.rows, self.count,
                          self.pitch, self.x, self.origin, self.kind, par.table, par.data, par.kinds, self.force,
                          self.total)
        clusters = self.owned + (self.ghosts if self.system.newton else 0)
        parallel_for(space, clusters, self._kernel(build.collect), self.member, self.force,
                     self.system.atoms.view("f", modify=True))
        if tally is not None:
            tally.add(self.total.get().reshape(-1, 7).sum(axis=0))

"""The grids of bins that a neighbour list is built with: one, or one for each of the systems of a batch.

For each there are also the steps in which positions are cut (fixed_point.py) and the stencil of bins that hold neighbours.
Those of a batch are what each system would have alone, so that its rows are the same; they stay while boxes change in a run,
which is right for any box: atoms outside of a grid are in its outermost bins.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.neighbor.cells import Grid, make_grid
from everlet.neighbor.decide import BINS
from everlet.neighbor.fixed_point import STEPS
from everlet.neighbor.follower import SHRINKS
from everlet.portable import Constants, View
from everlet.state.box import Box

if TYPE_CHECKING:
    from everlet.neighbor.rows import Rows

MARGIN = 2e-6  # of the list radius, for distances in float32
FEW = 0.8  # atoms of a bin


class Grids:
    """Of the rows of a list.

    stencil   View (n, 3): rows of bins, of all stencils
    origin    of each system: the middle of its box, steps per length
    reach2    the square of the list radius in steps, with a margin
    """

    def __init__(self, lists: Rows):
        self.lists, self.system = lists, lists.system
        members = self.system.members
        self.many = members is not None
        self.count = members.count if members is not None else 1
        space = self.system.space
        self.stencil, self.reach2 = View((1, 3), np.int64, space), Constants(self.count, space)
        self.origin = Constants(4 * self.count, space) if self.many else lists.steps.origin
        self.later = 0  # rows of the first stencil behind an atom's own
        self.reaches = np.ones(self.count, np.int64)  # bins along x that rows reach
        self._made_for: Any = None

    # ---- one of them
    def _bins(self, box: Box, atoms: int) -> float:
        """Edge of a bin as a part of the list radius, if nobody has chosen it. Where bins would be nearly empty, going through
        more of them costs a CPU more than distances to more atoms."""
        few = atoms * (BINS * self.lists.radius) ** 3 < FEW * box.volume
        return 1.0 if few and box.dimension == 3 and not self.system.space.many_threads else BINS

    def grid(self, ghosts: bool, box: Box, region: tuple[np.ndarray, np.ndarray], atoms: int, all_atoms: int) -> Grid:
        """Of a region, with or without the ghosts around the box."""
        lists, settings = self.lists, self.lists.settings
        edge = settings.binsize or (settings.bins or self._bins(box, all_atoms)) * lists.radius or float(box.lengths.max())
        if ghosts and settings.style == "nsq":
            edge = np.inf  # one bin: every pair is tested
        lo, hi = region
        if box.dimension == 2:
            lo[2], hi[2] = box.lo[2], box.hi[2]
        found = make_grid(lo, hi, edge, atoms, thin=ghosts and np.isfinite(edge) and not self.system.space.many_threads)
        if box.dimension == 2:
            found.size[2] *= found.shape[2]
            found.shape[2] = 1
        return found

    def whole(self, ghosts: bool) -> Grid:
        """Of this rank's part of the box."""
        system = self.system
        region = system.region(self.lists.ghost_cutoff if ghosts else 0.0)
        return self.grid(ghosts, system.need_box(), region, system.atoms.n, system.natoms)

    # ---- for a build
    def fit(self) -> None:
        """Grids and steps for the present boxes, by the host."""
        lists, bins = self.lists, self.lists.bins
        lists.fit_steps()
        members = self.system.members
        if members is None:
            bins.set_grids([self.whole(True)], self.system.atoms.capacity)
            return
        cut = lists.ghost_cutoff
        key = members.changes, lists.radius, cut, lists.settings.binsize, lists.settings.bins, lists.settings.style
        if key == self._made_for:
            bins.reserve(self.system.atoms.capacity)
            return
        self._made_for = key
        known: dict[Any, tuple[Grid, list[float]]] = {}
        made = []
        for box, size in zip(members.boxes, members.sizes.tolist(), strict=True):
            like = size, box.params().tobytes()
            if like not in known:
                low, high = box.extended(cut + lists.skin)
                length = 2.0 ** math.ceil(math.log2(float((high - low).max()) * 1.02 / STEPS))
                known[like] = self.grid(True, box, box.extended(cut), size, size), [*(0.5 * (low + high)), 1.0 / length]
            made.append(known[like])
        self.origin.set(np.concatenate([origin for _, origin in made]))
        bins.set_grids([grid for grid, _ in made], self.system.atoms.capacity)

    def fit_stencils(self) -> None:
        """Of grids that have been set: rows for the list radius."""
        lists, bins = self.lists, self.lists.bins
        slack = SHRINKS if lists.corners.on_device and not self.many else 0.0
        known: dict[Any, tuple[int, int, int, int]] = {}  # by grid: first row, rows, later ones, bins along x
        tables: list[np.ndarray] = []
        first, rows = 0, []
        if bins.stencils_for == (lists.radius, slack):
            return
        for grid in bins.grids:
            key = *grid.size.tolist(), *grid.shape.tolist()
            if key not in known:
                table = grid.stencil(lists.radius, slack)
                tables.append(table)
                later = sum((a, b) > (0, 0) for a, b, _ in table.tolist())
                known[key] = first, len(table), later, int(table[:, 0].max(initial=1))
                first += len(table)
            rows.append(known[key])
        if self.stencil.shape[0] < first:
            self.stencil = View((first, 3), np.int64, self.system.space)
        self.stencil.data[: 3 * first] = self.system.space.from_host(np.concatenate(tables).ravel())
        self.later, self.reaches = rows[0][2], np.array([row[3] for row in rows])
        bins.use_stencils([row[:3] for row in rows], (lists.radius, slack))

    def set_reach(self) -> None:
        """The list radius in steps of each box."""
        inverse = np.array(self.origin.now[3::4])
        self.reach2.set((self.lists.radius * (1.0 + MARGIN) * inverse + 4.0) ** 2)

"""Voronoi cells of atoms: volumes, faces, neighbours, and which cells of the beginning atoms are in. On the host; each rank
looks at all atoms."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from everlet.computes.base import Compute, compute_style
from everlet.computes.peratom.cells import BOX, Cells, cells_of, images
from everlet.errors import InputError, integer, number, unknown, yes_no
from everlet.state.groups import Bit
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = ("compute ID group voronoi/atom [only_group] [surface GROUP] [edge_histo N] [edge_threshold L] [face_threshold A] "
         "[neighbors yes|no] [peratom yes|no] | occupation")


@compute_style("voronoi/atom")
class VoronoiAtom(Compute):
    """compute ID group voronoi/atom …: c_ID[1]: the volume of the cell of each atom, c_ID[2]: how many faces it has.

    only_group        atoms of other groups have no cells
    surface GROUP     c_ID[3]: area of faces with atoms of this group as neighbours
    edge_histo N      c_ID[k] of the system: faces with k edges, k = N + 1 for those with more
    edge_threshold L  shorter edges do not count in it
    face_threshold A  smaller faces do not count
    neighbors yes     local values: ids of an atom and its neighbour (0: a face of the box), area of the face between them
    occupation        c_ID[1]: atoms in the cell that the atom had when it was first asked for; c_ID[2]: atoms in the cell that
                      it is in now
    """

    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words = list(args)
        self.only_group = self.occupation = self.neighbours = False
        self.surface: Bit | None = None
        self.histogram, self.shortest, self.least = 0, 0.0, 0.0
        while words:
            self._word(words)
        box = system.need_box()
        if self.occupation and (self.only_group or len(args) > 1):
            raise InputError("compute voronoi/atom occupation has no other keywords", "use a second compute")
        if self.occupation:
            self.known = self.add_field("site", width=3)
        columns = 2 if self.surface is None else 3
        self.gives = Gives(columns=columns, local=3 if self.neighbours else None, vector=EXTENSIVE if self.histogram else "",
                           length=self.histogram + 1 if self.histogram else 0)
        self.dimension = box.dimension
        self._cells: tuple[list[np.ndarray], Cells, np.ndarray] | None = None

    def _word(self, words: list[str]) -> None:
        """Take the next keyword and its value."""
        word = words.pop(0)
        if word in ("only_group", "occupation"):
            setattr(self, word, True)
            return
        if word not in ("surface", "edge_histo", "edge_threshold", "face_threshold", "neighbors", "peratom"):
            hint = "; cells with radii are not available" if word == "radius" else ""
            raise unknown("keyword of compute voronoi/atom", word, ("only_group", "surface", "edge_histo", "edge_threshold",
                                                                    "face_threshold", "neighbors", "occupation"), USAGE + hint)
        if not words:
            raise InputError(f"compute voronoi/atom {word} lacks a value", f"usage: {USAGE}")
        value = words.pop(0)
        if word == "surface":
            self.surface = self.system.groups.bit(value)
        elif word == "edge_histo":
            self.histogram = integer(value, "a number of edges")
        elif word == "edge_threshold":
            self.shortest = number(value, "a length")
        elif word == "face_threshold":
            self.least = number(value, "an area")
        elif word == "neighbors":
            self.neighbours = yes_no(value, "compute voronoi/atom neighbors")
        else:
            yes_no(value, "compute voronoi/atom peratom")  # values of atoms are made when they are asked for

    # ---- cells of all atoms
    def _made(self) -> tuple[Cells, np.ndarray, np.ndarray]:
        """Cells, ids and masks of all atoms that have some; kept as long as no atom moves."""
        system, box = self.system, self.system.need_box()
        whole = system.whole
        rows = np.flatnonzero(whole.read("mask") & self.bit) if self.only_group else np.arange(whole.n)
        state = [whole.read("id")[rows].copy(), whole.read("mask")[rows].copy(), whole.read("x")[rows, :3].copy(), box.params()]
        if self._cells is None or not all(map(np.array_equal, state, self._cells[0])):
            x = state[2].copy()
            box.wrap(x, np.zeros((len(x), 3), np.int32))
            self._cells = state, cells_of(x, box, self.dimension), rows
        return self._cells[1], state[0], state[1]

    def peratom(self) -> np.ndarray:
        if self.occupation:
            return self._occupied()
        cells, ids, mask = self._made()
        n, large = len(ids), cells.area > self.least
        values = np.zeros((n + 1, 2 if self.surface is None else 3))
        values[:n, 0] = cells.per_cell(n, cells.volume)
        values[:n, 1] = cells.per_cell(n, large.astype(float))
        if self.surface is not None:
            beside = (cells.other != BOX) & (mask[cells.other] & self.surface != 0)
            values[:n, 2] = cells.per_cell(n, cells.area * beside)
        return self._of_mine(ids, values)

    def _of_mine(self, ids: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Rows of this rank's atoms out of those of `ids`; 0 where there is none, or outside of the group."""
        atoms = self.system.atoms
        order = np.argsort(ids, kind="stable")
        mine = atoms.read("id")
        at = order[np.minimum(np.searchsorted(ids, mine, sorter=order), len(ids) - 1)] if len(ids) else np.zeros(len(mine), int)
        there = (ids[at] == mine if len(ids) else np.zeros(len(mine), bool)) & (atoms.read("mask") & self.bit != 0)
        return np.where(there[:, None], values[at], 0.0)

    def local(self) -> np.ndarray:
        cells, ids, mask = self._made()
        atoms = self.system.atoms
        rows = (cells.area > self.least) & (mask[cells.own] & self.bit != 0) & np.isin(ids[cells.own], atoms.read("id"))
        other = np.where(cells.other[rows] == BOX, 0, ids[cells.other[rows]])
        return np.column_stack([ids[cells.own[rows]], other, cells.area[rows]]).astype(float)

    def vector(self) -> np.ndarray:
        """Faces by their number of edges."""
        cells, _, mask = self._made()
        counts = np.array([int((lengths > self.shortest).sum()) for lengths in cells.lengths])
        counts = counts[(cells.area > self.least) & (mask[cells.own] & self.bit != 0)]
        found = np.bincount(np.minimum(counts, self.histogram + 1), minlength=self.histogram + 2)
        return found[1:].astype(float)

    def _occupied(self) -> np.ndarray:
        system, atoms, box = self.system, self.system.atoms, self.system.need_box()
        if not self.known:
            atoms.edit(self.field("site"))[:] = atoms.read("x")[:, :3]
            self.known = True
        whole = system.whole
        sites, x = whole.read(self.field("site")).copy(), whole.read("x")[:, :3].copy()
        for places in (sites, x):
            box.wrap(places, np.zeros((len(places), 3), np.int32))
        margin = 2.5 * (box.volume / max(whole.n, 1)) ** (1.0 / self.dimension)
        places, whose = images(sites, box, max(margin, float(box.lengths.max()) / 2.0), self.dimension)
        real = whose != BOX
        _, nearest = cKDTree(places[real]).query((x - box.lo)[:, : self.dimension])
        site = whose[real][nearest]
        count = np.bincount(site, minlength=whole.n).astype(float)
        return self._of_mine(whole.read("id"), np.vstack([np.stack([count, count[site]], axis=1), np.zeros((1, 2))]))

"""Edges of models: found in the rows of the list, packed, and measured, in arrays that have room for some more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import RunError
from everlet.forces.models import loops
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.scan import Scan
from everlet.portable.spaces import CONTROLS
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.models.ml import ModelParameters

NUMBER, SPECIES, ENDS, PAD = (Kernel(body) for body in (loops.number_rows, loops.name_species, loops.end_starts,
                                                         loops.pad_edges))
TEAM = 16  # threads of a GPU that share a row
SPARE = 1.1  # room for edges and rows, as a part of those that there were
MOST = 2**31 // 3 - 1  # edges: numbers of them are counted in 32 bits
FAR = 2.0  # cutoffs: how long edges are that are none


class Shells:
    """Rows of the neighbours of atoms and of those ghosts that a model of several layers asks for, in the form of a list's:
    dense, filled by the host when ghosts are new."""

    dense, si, sk = True, 0, 1

    def __init__(self, system: System, lists: Neighbor, cutoff: float, shells: int):
        self.system, self.lists, self.cutoff, self.shells = system, lists, cutoff, shells
        self.neigh = self.count = self.first = View(0, np.int32, system.space)

    def fill(self) -> None:
        from scipy.spatial import cKDTree  # only here: it takes long to import

        atoms, space, skin = self.system.atoms, self.system.space, self.lists.skin
        view = atoms.view("x")
        x = space.to_host(view.data).reshape(view.shape)[: atoms.total, :3]
        inner = np.arange(atoms.total) < atoms.n
        if atoms.n:
            far, _ = cKDTree(x[: atoms.n]).query(x[atoms.n :], distance_upper_bound=(self.shells - 1) * self.cutoff + skin)
            inner[atoms.n :] = np.isfinite(far)
        asked = np.flatnonzero(inner)
        found = cKDTree(x).query_ball_point(x[asked], self.cutoff + skin) if len(asked) else []
        rows = [[j for j in row if j != i] for i, row in zip(asked, found, strict=True)]
        count = np.zeros(max(atoms.total, 1), np.int32)
        count[asked] = [len(row) for row in rows]
        rooms = -(-count // 8)
        first = (np.cumsum(rooms) - rooms).astype(np.int32)
        neigh = np.zeros(8 * int(rooms.sum()) + 8, np.int32)
        for i, row in zip(asked, rows, strict=True):
            neigh[8 * first[i] : 8 * first[i] + len(row)] = row
        self.neigh, self.count, self.first = (View(len(values), np.int32, space) for values in (neigh, count, first))
        for own, values in ((self.neigh, neigh), (self.count, count), (self.first, first)):
            own.put(values)


class EdgeTable:
    """Arrays of edges and of rows. `padded`: they have room for more, which edges fill that are none (FAR); the row behind the
    last is that of an atom that is none. What `words` are: loops.py."""

    def __init__(self, system: System, neighbor: Neighbor, parameters: ModelParameters, cutoff: float, padded: bool):
        self.system, self.neighbor, self.parameters = system, neighbor, parameters
        self.cutoff, self.padded, space = cutoff, padded, system.space
        self.shells = Shells(system, neighbor, cutoff, parameters.shells) if parameters.shells > 1 else None
        self.near: Any = self.shells or neighbor  # whose rows edges are found in
        self.scan, self.words = Scan(space), View(CONTROLS, np.int64, space)
        self.count, self.start = View(0, np.int32, space), View(1, np.int32, space)
        self.species, self.owner = View(0, np.int32, space), View(0, np.float64, space)
        self.rows = self.total = self.room = 0  # rows of atoms, edges that there are, those that there is room for
        self.times = 0  # word 2, when it was looked at last
        self.fresh = True  # ghosts are new
        self._make(0)

    @property
    def folded(self) -> bool:
        """All neighbours are this rank's: edges lead to the atoms and not to their images."""
        return self.system.ranks.size == 1

    # ---- kernels
    def _shared(self, body: Any) -> Kernel:
        """A loop over rows of the list, which threads of a GPU share."""
        team = self.system.space.shared(TEAM)
        return Kernel(body, team=team, statics=(("DENSE", self.near.dense), ("TEAMS", team > 1)))

    # ---- work
    def _make(self, room: int) -> None:
        """Arrays for so many edges."""
        space, self.room = self.system.space, room
        self.tail, self.head = View(room, np.int32, space), View(room, np.int32, space)
        self.way, self.slope = View((room, 3), np.float64, space), View((room, 3), np.float64, space)
        self.ways = self.way.flat()  # the same, number by number

    def new_rows(self, comm: SerialComm) -> None:
        """Which rows are meant by ghosts, and of what species they are, unless that is known."""
        if not self.fresh:
            return
        system, atoms, space = self.system, self.system.atoms, self.system.space
        rows, held = atoms.n if self.folded else atoms.total, atoms.view("x").shape[0]
        if self.owner.shape[0] != held:
            self.owner, self.count = View(held, np.float64, space), View(held, np.int32, space)
        if not self.padded:
            self.rows = rows
        elif not rows < self.rows <= 1.3 * rows + 64 or self.folded:
            self.rows = rows + 1 if self.folded else min(int(SPARE * rows) + 16, held)
        if self.species.shape[0] < self.rows or self.start.shape[0] < self.rows + 1:
            self.species, self.start = View(self.rows, np.int32, space), View(self.rows + 1, np.int32, space)
        parallel_for(space, rows, NUMBER, self.owner)
        if self.folded:
            comm.forward_values(system, "rows", self.owner)
        parallel_for(space, self.rows, SPECIES, rows, atoms.view("type"), self.parameters.of_type, self.species)
        if self.shells is not None:
            self.shells.fill()
        self.fresh = False

    @property
    def tails(self) -> int:
        """Rows that edges begin at: those of the atoms, and of ghosts if several shells of them are known."""
        return self.system.atoms.n if self.shells is None else self.system.atoms.total

    def fill(self, comm: SerialComm) -> None:
        """All edges of the present positions. How many there are is on the host, unless launches are collected."""
        space = self.system.space
        self.new_rows(comm)
        while n := self.tails:
            self._launch(n)
            if space.queue is not None:
                return
            self.total, _, self.times = self.look()[:3]
            if self.total <= self.room:
                return
            if self.total > MOST:
                raise RunError(f"{self.total} edges of a model on one rank: {MOST} can be counted", "use more ranks")
            self._make(int(SPARE * self.total) + 64)
        self.total = 0

    def look(self) -> list[int]:
        """The words, when the work under way is done."""
        return self.system.space.read_words(self.words.data)

    def _launch(self, n: int) -> None:
        atoms, near, space, par = self.system.atoms, self.near, self.system.space, self.parameters
        x, place = atoms.view("x"), space.place + 1 if space.queue is not None else 0
        rows = (x, atoms.view("type"), near.neigh, near.count, near.first, near.si, near.sk, par.cut2, par.kinds)
        parallel_for(space, n, self._shared(loops.count_edges), *rows, self.count)
        self.scan(n, self.count, self.start)
        parallel_for(space, n, self._shared(loops.list_edges), n, *rows, self.start, self.owner, self.room, place,
                     space.control, self.words, self.tail, self.head, self.ways)
        if self.padded:
            parallel_for(space, self.room, PAD, n, self.start, self.rows - 1, FAR * self.cutoff, self.tail, self.head, self.way)
            parallel_for(space, self.rows - n, ENDS, n, self.rows, self.room, self.start)

    def arrays(self) -> dict[str, tuple[View, int]]:
        """What a model is handed (edges.py), and how many rows of each."""
        atoms, held = self.system.atoms, self.room if self.padded else self.total
        rows = self.rows if self.padded else atoms.n if self.folded else atoms.total
        return {"species": (self.species, self.rows), "i": (self.tail, held), "j": (self.head, held), "rij": (self.way, held),
                "start": (self.start, (self.rows if self.padded else self.tails) + 1), "x": (atoms.view("x"), rows),
                "ids": (atoms.view("id"), rows)}

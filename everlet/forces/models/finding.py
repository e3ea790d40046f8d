"""Edges of models: found in the rows of the list, packed, and measured, in arrays that have room for some more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import RunError
from everlet.forces.models import loops
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for, scan
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


class EdgeTable:
    """Arrays of edges and of rows. `padded`: they have room for more, which edges fill that are none (FAR); the row behind the
    last is that of an atom that is none. What `words` are: loops.py."""

    def __init__(self, system: System, neighbor: Neighbor, parameters: ModelParameters, cutoff: float, padded: bool):
        self.system, self.neighbor, self.parameters = system, neighbor, parameters
        self.cutoff, self.padded, space = cutoff, padded, system.space
        self.scan, self.words = Scan(space), View(CONTROLS, np.int64, space)
        self.count, self.start = View(0, np.int32, space), View(1, np.int32, space)
        self.species, self.owner = View(0, np.int32, space), View(0, np.float64, space)
        self.rows = self.total = self.room = 0  # rows of atoms, edges that there are, those that there is room for
        self.times = self.noted = 0  # words 2 and 1, when they were looked at last
        self.fresh = True  # ghosts are new
        self._make(0)

    @property
    def folded(self) -> bool:
        """All neighbours are this rank's: edges lead to the atoms and not to their images."""
        return self.system.ranks.size == 1

    # ---- kernels
    def _shared(self, body: Any) -> Kernel:
        """A loop over rows of the list, which threads of a GPU share."""
        teams = self.system.space.many_threads
        return Kernel(body, team=TEAM if teams else 1, statics=(("DENSE", self.neighbor.dense), ("TEAMS", teams)))

    def kernels(self) -> list[Kernel]:
        scans = scan.KERNELS if self.system.space.many_threads else []
        return [NUMBER, SPECIES, *scans, self._shared(loops.count_edges), self._shared(loops.list_edges),
                *([ENDS, PAD] if self.padded else [])]

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
            self.rows = rows + 1 if self.folded else int(SPARE * rows) + 16
        if self.species.shape[0] < self.rows or self.start.shape[0] < self.rows + 1:
            self.species, self.start = View(self.rows, np.int32, space), View(self.rows + 1, np.int32, space)
        parallel_for(space, rows, NUMBER, self.owner)
        if self.folded:
            comm.forward_values(system, "rows", self.owner)
        parallel_for(space, self.rows, SPECIES, rows, atoms.view("type"), self.parameters.of_type, self.species)
        self.fresh = False

    def fill(self, comm: SerialComm) -> None:
        """All edges of the present positions. How many there are is on the host, unless launches are collected."""
        space, n = self.system.space, self.system.atoms.n
        self.new_rows(comm)
        while n:
            self._launch(n)
            if space.queue is not None:
                return
            self.total, self.noted, self.times = self.look()[:3]
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
        atoms, near, space, par = self.system.atoms, self.neighbor, self.system.space, self.parameters
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
        rows = atoms.n if self.folded else atoms.total
        return {"species": (self.species, self.rows), "i": (self.tail, held), "j": (self.head, held), "rij": (self.way, held),
                "start": (self.start, (self.rows if self.padded else atoms.n) + 1), "x": (atoms.view("x"), rows),
                "ids": (atoms.view("id"), rows)}

    def views(self) -> tuple[View, ...]:
        return (self.count, self.start, self.species, self.owner, self.tail, self.head, self.way, self.slope)

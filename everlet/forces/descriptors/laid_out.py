"""Atoms laid out by pairs, so that loops of a pair style make descriptors of single atoms and their slopes with each neighbour.

Nothing is computed here: components are what the loops make on the way to an energy, and a linear energy whose only coefficient
is 1, of component k, has forces that are minus the slopes of D_k. So that they come out for each pair, every neighbour of every
atom gets a row of its own, behind those of the atoms (a ghost that no other atom sees).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.descriptors.base import Batch
from everlet.forces.pair.base import PairStyle
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import Neighbor
from everlet.neighbor.rows import FAR
from everlet.portable import Serial, Space, View
from everlet.portable.kernels import lane_width
from everlet.state.system import System

MANY = 10**9  # no limit on neighbours
BATCH = 64 * 2**20  # bytes of slopes that are kept at a time


class Rows:
    """Neighbours as schemes read them, in place of a neighbour list: dense rows, each neighbour with an index of its own."""

    dense = True
    si, sk = 0, 1

    def __init__(self, system: System):
        self.system = system
        self.neigh = self.count = self.first = View(0, np.int32, system.space)
        self.spill = 2 * lane_width(system.space.target, "single")

    @property
    def filler(self) -> int:
        return self.system.atoms.capacity

    def fill(self, counts: np.ndarray) -> None:
        """Row k has the next counts[k] atoms behind the owned ones."""
        space, n = self.system.space, len(counts)
        rooms = -(-(counts + self.spill) // 8) * 8
        starts = np.cumsum(rooms) - rooms
        neigh = np.full(int(rooms.sum()) + 8 * self.spill, self.filler, np.int32)
        pairs = np.arange(int(counts.sum()))
        neigh[pairs + np.repeat(starts - (np.cumsum(counts) - counts), counts)] = n + pairs
        padded = np.zeros(-(-(n + self.spill) // 64) * 64, np.int32)
        self.neigh, self.count, self.first = (View(len(values), np.int32, space) for values in (neigh, padded, padded))
        self.neigh.put(neigh)
        padded[:n] = counts
        self.count.put(padded)
        padded[:n] = starts // 8
        self.first.put(padded)


class LaidOut:
    """Loops on atoms that are laid out by pairs, on the host and in double precision, whatever the rest does. Those who derive
    from it make `style` (its cutoffs say who is a neighbour), `scheme`, and the two functions at the end."""

    style: PairStyle
    scheme: Any

    def __init__(self, space: Space, system: System, types: int):
        self.space = Serial() if space.many_threads else space
        self.types = types
        self.laid = self._system(system)
        self.rows = Rows(self.laid)

    def _system(self, system: System) -> System:
        """An empty system of the same kind, to put atoms into."""
        made = System(self.space, "double")
        made.units, made.dimension, made.masses = system.units, system.dimension, np.ones(self.types + 1)
        return made

    @property
    def components(self) -> int:
        raise NotImplementedError

    @property
    def most_atoms(self) -> int:
        """Of a batch."""
        return int(self.scheme.most_atoms())

    # ---- who is near whom
    def neighbours(self, system: System, x: np.ndarray, kind: np.ndarray, rows: np.ndarray
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of all atoms at x, of these rows: place in `rows`, row of the neighbour and the vector to it, by place."""
        own, box = self._system(system), copy.deepcopy(system.need_box())
        own.box = box
        x, image = x.copy(), np.zeros(x.shape, np.int32)
        box.wrap(x, image)
        cut, beyond = self.style.max_cutoff, np.abs(box.to_fraction(x) - 0.5) - 0.5
        outside = float((beyond * box.lengths).max(initial=0.0))  # of faces that are not periodic
        near = Neighbor(own, NeighborSettings(skin=0.0, check=False, one=MANY, comm_cutoff=cut + outside), "full", True, True)
        near.cutoff = cut
        own.atoms.append(x=x, type=kind, id=np.arange(len(x)))
        comm = SerialComm(own)
        own.put_box()
        comm.borders(own, near.ghost_cutoff)
        near.build()
        counts, first = (view.get()[rows].astype(np.int64) for view in (near.count, near.first))
        of = np.repeat(np.arange(len(rows)), counts)
        j = near.neigh.get()[np.arange(len(of)) + np.repeat(8 * first - (np.cumsum(counts) - counts), counts)]
        every, home = (own.atoms.view(name).array[: own.atoms.total] for name in ("x", "id"))
        vector = every[j, :3] - every[rows[of], :3]
        j = home[j]
        inside = (vector**2).sum(axis=1) < self.style.cutoffs[kind[rows[of]], kind[j]] ** 2
        return of[inside], j[inside], vector[inside]

    # ---- components and slopes
    def batches(self, system: System, x: np.ndarray, kind: np.ndarray, rows: np.ndarray, slopes: bool, width: int = 0
                ) -> Iterator[Batch]:
        """These rows of all atoms, some at a time; `width` numbers will be made of the slopes of each pair."""
        of, neighbour, vector = self.neighbours(system, x, kind, rows)
        ends = np.searchsorted(of, np.arange(len(rows) + 1))
        most = int(np.diff(ends).max(initial=1)) * 24 * max(width, self.components) if slopes else 1
        step = max(1, min(self.most_atoms, BATCH // most))
        for begin in range(0, len(rows), step):
            end = min(begin + step, len(rows))
            pairs = slice(ends[begin], ends[end])
            mine = Batch(rows[begin:end], np.zeros(0), of[pairs] - begin, neighbour[pairs], vector[pairs], np.zeros(0))
            self._lay(mine, kind, np.diff(ends[begin : end + 1]))
            chunk = self._describe(mine)
            if slopes:
                self._slopes(mine, chunk)
            yield mine

    def _lay(self, mine: Batch, kind: np.ndarray, counts: np.ndarray) -> None:
        """Atoms of a batch at zero, then their neighbours at their vectors."""
        atoms = self.laid.atoms
        n, pairs = len(mine.rows), len(mine.of)
        atoms.n, atoms.nghost = 0, 0
        atoms.reserve(n + pairs)
        atoms.n, atoms.nghost = n, pairs
        x, types = atoms.view("x", modify=True).array, atoms.view("type", modify=True).array
        x[:n], x[n : n + pairs, :3], x[atoms.capacity :] = 0.0, mine.vector, FAR
        types[:n], types[n : n + pairs], types[atoms.capacity :] = kind[mine.rows], kind[mine.neighbour], 0
        self.rows.fill(counts)

    def _describe(self, mine: Batch) -> Any:
        """Put components of the atoms of a batch into it; gives what `_slope` must know."""
        raise NotImplementedError

    def _slope(self, k: int, chunk: Any) -> None:
        """Forces of the energy D_k, of all atoms that are laid out."""
        raise NotImplementedError

    def _slopes(self, mine: Batch, chunk: Any) -> None:
        atoms, n = self.laid.atoms, len(mine.rows)
        mine.slopes = np.empty((len(mine.of), 3, self.components))
        for k in range(self.components):
            self._slope(k, chunk)
            mine.slopes[:, :, k] = atoms.view("f").array[n : atoms.total]

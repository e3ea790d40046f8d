"""The table of the links of one style: rows of their atoms, found by id whenever ghosts are new; each link once."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import RunError
from everlet.forces.bonded import loops
from everlet.portable import Constants, Kernel, View, parallel_for, parallel_scan
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System
from everlet.state.topology import Kind, count_links

SPARE = 64  # loops read whole steps of lanes
CLEAR = Kernel(loops.clear_count)


class LinkTable:
    """Links of a kind whose types are in `types`. `count` has their number, `room` is the length of a column of `links`."""

    def __init__(self, system: System, kind: Kind, types: list[int], rows: RowsOfIds):
        self.system, self.kind, self.rows = system, kind, rows
        space = system.space
        self.mine = Constants(system.topology.types[kind.name] + 1, space, np.int32)
        self.mine.set([int(type in types) for type in range(self.mine.view.shape[0])])
        self.count = View(1, np.int64, space)
        self.links = View(0, np.int32, space)
        self.room = self.known = 0
        self._counts = self._starts = View(0, np.int64, space)
        self._most = int(system.ranks.sum(count_links(system.atoms, kind)))  # in the whole system

    @property
    def width(self) -> int:
        """Places for links in the row of an atom."""
        return self.system.atoms.fields[self.kind.type].view.device.width

    @property
    def items(self) -> int:
        """As many links as there are, or may be where the device alone knows."""
        return self.room - SPARE if self.system.space.atomics else self.known

    def _counter(self) -> Kernel:
        return Kernel(loops.count_links, statics=(("SIZE", self.kind.size),))

    def _filler(self) -> Kernel:
        return Kernel(loops.fill_links, statics=(("SIZE", self.kind.size), ("ATOMIC", self.system.space.atomics)))

    def rebuild(self) -> None:
        """For new ghosts."""
        system, atoms, space = self.system, self.system.atoms, self.system.space
        self.rows.update()
        given = (atoms.n, self.width, atoms.view(self.kind.type).data, atoms.view(self.kind.atoms).data, atoms.view("id"),
                 self.mine.view, self.rows.view)
        if space.atomics:
            grows = any(fix.adds_links for fix in system.fixes.values())
            self._make_room(atoms.capacity * self.width if grows else min(self._most, atoms.capacity * self.width))
            parallel_for(space, 1, CLEAR, self.count)
            starts = self.count
        else:
            if self._starts.shape[0] <= atoms.n:
                self._counts, self._starts = (View(atoms.capacity + 1, np.int64, space) for _ in range(2))
            parallel_for(space, atoms.n, self._counter(), *given, self._counts)
            self.known = parallel_scan(space, self._counts.data[: atoms.n], self._starts.data)
            self._make_room(self.known)
            self.count.data[0] = self.known
            starts = self._starts
        parallel_for(space, atoms.n, self._filler(), *given, starts, self.room, self.links, space.control)
        if space.queue is not None:
            return
        if system.troubled():
            raise RunError(self._missing(), f"{_a(self.kind.name)} reaches farther than ghosts (comm_modify cutoff makes that "
                           "longer), or an atom was lost or deleted")

    def of_atoms(self, system: System, rows: RowsOfIds) -> tuple[Any, ...]:
        """What loops over atoms read of their links; `system` has the atoms, which may be those of surroundings."""
        type = system.atoms.view(self.kind.type)
        return type.width, type.data, system.atoms.view(self.kind.atoms).data, self.mine.view, rows.view

    def _make_room(self, count: int) -> None:
        if self.room < count + SPARE:
            self.room = count + count // 8 + SPARE
            self.links = View(self.room * (self.kind.size + 1), np.int32, self.system.space)

    def _missing(self) -> str:
        """The first link on this rank, or another, one of whose atoms is not there."""
        atoms, space = self.system.atoms, self.system.space
        rows = space.to_host(self.rows.view.data)
        ids = atoms.read(self.kind.atoms).reshape(atoms.n, -1, self.kind.size)
        i, k = np.nonzero(((rows[ids] < 0) & (ids > 0)).any(axis=2))
        mine = ""
        if len(i):
            whole = ids[i[0], k[0]]
            lost = whole[rows[whole] < 0][0]
            mine = f"atom {lost} of the {self.kind.name} of atoms {' '.join(map(str, whole))} is not to be found"
        found = next(filter(None, self.system.ranks.all_of(mine)), f"an atom of {_a(self.kind.name)} is not to be found")
        return f"{found} at step {self.system.step}"


def _a(name: str) -> str:
    return f"a{'n' if name[0] in 'ai' else ''} {name}"

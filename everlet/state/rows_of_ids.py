"""A map from the id of an atom to a row that holds it, on the device: its own row, or else that of one of its ghosts."""

from __future__ import annotations

import numpy as np

from everlet.portable import Kernel, View, i32, i64, local, parallel_for, portable
from everlet.state.atoms import Atoms
from everlet.state.control import TOTAL
from everlet.state.system import System
from everlet.state.topology import KINDS


@local
@portable
def forget_rows(k, rows: i32[:]):
    rows[k] = i32(-1)


@portable
def note_ghosts(k, n: i64, control: i64[:], id: i64[:], rows: i32[:]):
    """Of several ghosts of one atom any may win: whoever asks takes the nearest image anyway."""
    if n + k < control[TOTAL]:
        rows[id[n + k]] = i32(n + k)


@portable
def note_owned(i, id: i64[:], rows: i32[:]):
    """Not local: whoever looks for links of one atom reads what others have written."""
    rows[id[i]] = i32(i)


KERNELS = [Kernel(forget_rows), Kernel(note_ghosts), Kernel(note_owned)]


class RowsOfIds:
    """`view[id]` is a row, or -1. Updated once for every set of ghosts, however many ask."""

    def __init__(self, system: System):
        self.system = system
        self.view = View(0, np.int32, system.space)
        self._atoms: Atoms | None = None
        self._known = self._appended = -1  # the atoms and the set of ghosts it was made for

    @property
    def wanted(self) -> bool:
        """Atoms have links, so that others must be found by id."""
        return "special" in self.system.atoms.fields

    def update(self) -> None:
        """For new ghosts."""
        atoms, space = self.system.atoms, self.system.space
        if atoms is not self._atoms:
            self._atoms, self._known, self._appended = atoms, -1, -1
        if self._appended != atoms.appended:
            self._appended = atoms.appended
            known = [atoms.read(name) for name in ("id", *(kind.atoms for kind in KINDS.values())) if name in atoms.fields]
            most = int(self.system.ranks.max(max(ids.max(initial=0) for ids in known)))  # links may name atoms that are gone
            if most >= self.view.shape[0]:
                self.view, self._known = View(most + 1, np.int32, space), -1
        if self._known == atoms.ghost_sets:
            return
        self._known = atoms.ghost_sets
        if space.queue is None and not space.separate_memory:
            space.control[TOTAL] = atoms.total
        ids = atoms.view("id")
        parallel_for(space, self.view.shape[0], KERNELS[0], self.view)
        parallel_for(space, atoms.capacity - atoms.n, KERNELS[1], atoms.n, space.control, ids, self.view)
        parallel_for(space, atoms.n, KERNELS[2], ids, self.view)

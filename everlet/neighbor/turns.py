"""Atoms that act one after the other: those of cells that are far enough from each other do so at once, colour by colour."""

from __future__ import annotations

import itertools

import numpy as np

from everlet.errors import RunError
from everlet.portable import View
from everlet.state.system import System


class Turns:
    """Cells of atoms by colour, for a user named in messages. Two cells of one colour have `apart` - 1 others between them.

    The cells of colour c are begins[c] to begins[c + 1]; cell t has the atoms member[edge[t]] to member[edge[t + 1]], by id. On
    one core of one rank there is one cell, whose atoms are in the order of storage if they are `stored` as in LAMMPS.
    """

    def __init__(self, system: System, user: str, apart: int, stored: bool = False):
        self.system, self.user, self.apart, self.stored = system, user, apart, stored
        self.member, self.edge = View(1, np.int32, system.space), View(2, np.int32, system.space)
        self.begins = [0, 1]

    def update(self, reach: float) -> None:
        """For new rows of neighbours, of pairs up to `reach` apart when they were made."""
        system, atoms = self.system, self.system.atoms
        ids = atoms.read("id")
        if system.ranks.size == 1 and system.space.threads == 1 and not system.space.many_threads:
            cell, colour = np.zeros(atoms.n, int), np.zeros(1, int)
            ids = np.arange(atoms.n) if self.stored else ids
        else:
            cell, colour = self._cells(reach)
        order = np.lexsort((ids, cell, colour[cell]))
        ends = np.flatnonzero(np.diff(cell[order])) + 1
        edge = np.concatenate([[0], ends, [atoms.n]]) if atoms.n else np.zeros(1, int)
        first = colour[cell[order[edge[:-1]]]] if atoms.n else np.zeros(0, int)
        self.begins = np.searchsorted(first, np.arange(self.apart**3 + 1)).tolist()
        self.member, self.edge = View(max(atoms.n, 1), np.int32, system.space), View(len(edge), np.int32, system.space)
        self.member.put(np.pad(order, (0, max(atoms.n, 1) - atoms.n)).astype(np.int32))
        self.edge.put(edge.astype(np.int32))

    def _cells(self, reach: float) -> tuple[np.ndarray, np.ndarray]:
        """The cell of each atom, and the colour of each cell."""
        system, apart = self.system, self.apart
        box = system.need_box()
        share = box.ghost_fraction(reach)
        low, high = system.subdomain
        fits = np.floor((high - low) / np.where(share > 0.0, share, 1.0)).astype(int)
        shape = np.where((fits >= apart) & (share > 0.0), fits // apart * apart, 1)
        if ((shape == 1) & (high - low < 1.0)).any():
            many = {2: "two", 3: "three"}[apart]
            raise RunError(f"{self.user}: the part of the box of a rank is less than {many} cutoffs wide", "use fewer ranks")
        place = (box.to_fraction(system.atoms.read("x")) - low) / (high - low) * shape
        place = np.clip(np.floor(place).astype(int), 0, shape - 1)
        grid = np.array(list(itertools.product(*map(range, shape))))
        cell = (place[:, 0] * shape[1] + place[:, 1]) * shape[2] + place[:, 2]
        return cell, (grid % apart) @ np.array([1, apart, apart**2])

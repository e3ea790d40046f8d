"""Cross terms of two dihedral angles, from maps: corrections of backbones of proteins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.forces.crossterms import kernels
from everlet.fixes.forces.crossterms.maps import nodes, read_maps
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.sums import ADD_UP
from everlet.state.atoms import Atoms
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.rows_of_ids import KERNELS as FIND_ROWS
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System
from everlet.state.topology import rows_of

ATOMS = 5  # of a cross term


@fix_style("cmap")
class Cmap(ForceFix):
    """fix ID all cmap FILE, then read_data DATA fix ID crossterm CMAP

    FILE has maps of 24 x 24 energies, phi and psi from -180 degrees on, psi fastest. DATA has `N crossterms` and a section CMAP
    with lines `n map a1 a2 a3 a4 a5`: phi is the dihedral angle of atoms 1 to 4, psi that of 2 to 5. E(phi, psi) is bicubic.
    The energy counts to pe and the virial to the pressure, unless fix_modify says no. f_ID: the energy.

    Atoms have fields `map` and `atoms`, of all their cross terms, and `id`, their own id when these were read.
    """

    gives = Gives(scalar=EXTENSIVE)
    must_match = ()  # cross terms; the file of the maps may be elsewhere
    has_energy = energy_on = has_virial = virial_on = tallies = minimizes = True
    reads, writes = ("x", "f"), ("f",)
    keeps = ("count",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "fix ID all cmap FILE")
        if group != "all":
            raise InputError(f"fix {id} cmap: cross terms have no group, found '{group}'", "use: fix ID all cmap FILE")
        content = nodes(read_maps(args[0]))
        self.maps, self.count = len(content), 0
        self.data = View(content.size, np.float64, system.space)
        self.data.put(content.ravel())
        self.rows = RowsOfIds(system)
        if self.field("map") in system.atoms.fields:  # a restart file has brought them
            self.fields += [self.field(name) for name in ("map", "atoms", "id")]

    # ---- files

    def read_section(self, title: str, rows: list[tuple[int, list[str]]], error: Callable[[int, str, str], InputError]) -> None:
        if self.count:
            raise InputError(f"fix {self.id} cmap has its cross terms already", "one data file has all of them")
        table = np.zeros((len(rows), 1 + ATOMS), np.int64)
        known = self.system.atoms.read("id")
        for k, (line, words) in enumerate(rows):
            if len(words) != 2 + ATOMS or not all(word.isdecimal() for word in words):
                raise error(line, f"section {title}: found '{' '.join(words)}'", "lines are: n map a1 a2 a3 a4 a5")
            table[k] = [int(word) for word in words[1:]]
            if not 1 <= table[k, 0] <= self.maps:
                raise error(line, f"cross term {words[0]}: there is no map {words[1]}", f"there are 1 to {self.maps}")
            if len(set(words[2:])) < ATOMS or not np.isin(table[k, 1:], known).all():
                raise error(line, f"cross term {words[0]} needs five atoms that exist", "correct their ids")
        self._keep(table)

    def _keep(self, table: np.ndarray) -> None:
        """Give each cross term to all of its atoms."""
        atoms, self.count = self.system.atoms, len(table)
        rows = rows_of(atoms, table[:, 1:])
        width = max(int(np.bincount(rows.ravel(), minlength=atoms.n).max(initial=0)), 2)
        self.add_field("map", np.int32, width)
        self.add_field("atoms", np.int64, ATOMS * width)
        self.add_field("id", np.int64)
        type, ids = atoms.edit(self.field("map")), atoms.edit(self.field("atoms"))
        place = np.zeros(atoms.n, np.int64)
        for found, members in zip(rows, table, strict=True):
            for row in found:
                k = place[row]
                type[row, k], ids[row, ATOMS * k : ATOMS * (k + 1)] = members[0], members[1:]
                place[row] += 1
        atoms.edit(self.field("id"))[:] = atoms.read("id")

    def data_section(self) -> tuple[str, str, list[str]] | None:
        return f"{self.count} crossterms", "CMAP", [f"{k + 1} {' '.join(map(str, row))}" for k, row in enumerate(self._table())]

    def _table(self) -> np.ndarray:
        """All cross terms, each with its first atom: map and ids."""
        atoms = self.system.atoms
        if not self.count:
            return np.zeros((0, 1 + ATOMS), np.int64)
        ids = atoms.read(self.field("atoms")).reshape(atoms.n, -1, ATOMS)
        own = ids[:, :, 0] == atoms.read("id")[:, None]
        return np.concatenate([atoms.read(self.field("map"))[own][:, None], ids[own]], axis=1).astype(np.int64)

    # ---- before a run
    def kernels(self) -> list[Kernel]:
        return [kernels.LOOK, kernels.FORCES, kernels.TALLIED, kernels.ENERGY, ADD_UP, *FIND_ROWS]

    def init(self) -> None:
        system, atoms = self.system, self.system.atoms
        if not self.count:
            raise InputError(f"fix {self.id} cmap has no cross terms", f"use: read_data FILE fix {self.id} crossterm CMAP")
        held = (atoms.read(self.field("atoms")) > 0).sum(axis=1)
        changed = bool(((atoms.read(self.field("id")) != atoms.read("id")) & (held > 0)).any())
        if system.ranks.any(changed) or int(system.ranks.sum(int(held.sum()))) != self.count * ATOMS**2:
            raise InputError(f"fix {self.id} cmap: atoms of its cross terms were deleted, copied or have other ids now",
                             "make these changes in the data file")
        self.rows = RowsOfIds(system)

    def post_neighbor(self) -> None:
        atoms, space = self.system.atoms, self.system.space
        self.rows.update()
        ids = atoms.view(self.field("atoms"))
        parallel_for(space, atoms.n, kernels.LOOK, ids.width, ids.data, self.rows.view, space.control)
        self.system.need_found(f"fix {self.id} cmap: an atom of a cross term",
                               "comm_modify cutoff makes ghosts reach farther; or an atom was lost")

    # ---- work
    @property
    def _atoms(self) -> Atoms:
        """Those whose ghosts the rows are for: between runs they may be copies."""
        made = self.system.evaluator.atoms
        return made if made.n == self.system.atoms.n and made.space is self.system.space else self.system.atoms

    def _given(self) -> tuple[Any, ...]:
        atoms = self._atoms
        type = atoms.view(self.field("map"))
        return (type.width, type.data, atoms.view(self.field("atoms")).data, self.rows.view, atoms.view("x"),
                self.system.box_view(), self.data)

    def post_force(self) -> None:
        atoms, space = self.system.atoms, self.system.space
        given = (*self._given(), atoms.view("f", modify=True), self.data)
        if self.tally.wanted:
            self.tally.reduce(space, atoms.n, kernels.TALLIED, *given)
        else:
            parallel_for(space, atoms.n, kernels.FORCES, *given)

    def _energies(self) -> tuple[np.ndarray, np.ndarray]:
        """The sums of energy and virial on this rank, and those of each atom, (n, 7)."""
        atoms, space = self._atoms, self.system.space
        each = View(7 * max(atoms.n, 1), np.float64, space)
        sums = parallel_reduce(space, atoms.n, kernels.ENERGY, *self._given(), atoms.view("f"), each)
        return np.asarray(sums, np.float64), each.get()[: 7 * atoms.n].reshape(-1, 7)

    def scalar(self) -> float:
        self.system.fresh.need()
        if self.system.energies_tallied == self.system.step:
            return self.system.ledger.fixes[self.id].energies["energy"]
        return float(self.system.ranks.sum(self._energies()[0])[0])

    def atom_energies(self) -> Any:
        return self._energies()[1][:, 0]

    def atom_virials(self) -> Any:
        return self._energies()[1][:, 1:]

    def centroid_virials(self) -> Any:
        raise InputError(f"fix {self.id}: virials about centres are not available of cross terms",
                         "use compute stress/atom, or name parts without fix")

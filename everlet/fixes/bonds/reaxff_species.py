"""Molecules of pair_style reaxff: how many of which formula."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.base import NEVER, Fix, fix_style
from everlet.fixes.bonds.reaxff_deletion import Deletion
from everlet.forces.manybody.reaxff.orders import bond_orders, need_reaxff
from everlet.io.files import Pieces, agreed, cannot_write
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = ("fix ID group reaxff/species NEVERY NREPEAT NFREQ FILE [cutoff I J ORDER] … [element El1 El2 …] [position N FILE] "
         "[delete FILE masslimit MIN MAX|specieslist N FORMULA …] [delete_rate_limit N STEPS]")
FIRST = ("C", "H", "O", "N")  # in formulas; others follow in the order of types
ORDER = 0.3  # from which on two atoms belong together
KEYWORDS = ("cutoff", "element", "position", "delete", "delete_rate_limit")


class Average:
    """Sums of samples: of orders by pairs of ids, of charges and positions by atoms."""

    def __init__(self) -> None:
        self.count, self.sums = 0, dict[int, list[np.ndarray]]()
        self.pairs: list[np.ndarray] = []
        self.orders: list[np.ndarray] = []

    def orders_of_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """(m, 2) ids and the mean order of each."""
        if not self.pairs or not sum(map(len, self.pairs)):
            return np.zeros((0, 2), np.int64), np.zeros(0)
        pairs, place = np.unique(np.concatenate(self.pairs), axis=0, return_inverse=True)
        return pairs, np.bincount(place.ravel(), np.concatenate(self.orders)) / max(self.count, 1)


@fix_style("reaxff/species", "reax/c/species")
class ReaxffSpecies(Fix):
    """fix ID group reaxff/species NEVERY NREPEAT NFREQ FILE [cutoff I J ORDER] … [element El1 …] [position N FILE]
        [delete FILE masslimit MIN MAX|specieslist N FORMULA …] [delete_rate_limit N STEPS]

    Atoms belong to one molecule if the mean order of their bond, over NREPEAT samples NEVERY steps apart, is above a cutoff
    (0.3). Samples are taken when atoms have moved, with orders and charges of the forces before, as in LAMMPS. Every NFREQ
    steps FILE gets the numbers of molecules and species and how many there are of each; `position` writes charge and centre of
    mass, in fractions of the box; `delete` then removes molecules (reaxff_deletion.py), but not at the set-up. f_ID[1],
    f_ID[2]: molecules and species; f_ID of atoms: the number of their molecule.
    """

    gives = Gives(vector=INTENSIVE, length=2, columns=0)
    follows_steps = True
    reads = ("x", "q")
    every = 0

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.nevery, self.nrepeat, self.nfreq = (integer(word, "a number of steps") for word in args[:3])
        small = min(self.nevery, self.nrepeat, self.nfreq) < 1
        if small or self.nfreq % self.nevery or self.nrepeat * self.nevery > self.nfreq:
            raise InputError(f"fix reaxff/species {' '.join(args[:3])}", "NFREQ is a multiple of NEVERY, and NREPEAT * NEVERY "
                             "is not more than NFREQ")
        self.cutoff = np.full((system.ntypes + 1, system.ntypes + 1), ORDER)
        self.names: list[str] = []
        self.position, self.path = 0, ""
        self.deletion: Deletion | None = None
        self.doomed = np.zeros(0, np.int64)  # ids of atoms that leave before lists are rebuilt
        self._keywords(args[4:])
        self._files: dict[str, Pieces] = {}
        self._open(args[3])
        self.file = args[3]
        if self.path and "*" not in self.path:
            self._open(self.path)
        if self.deletion:
            self._open(self.deletion.path)
            self._write(self.deletion.path, self.deletion.head)
        self.next = -1  # step of the next output
        self.sampling, self.done = Average(), Average()
        self.molecules = self.species = 0
        self.add_field("molecule")

    def _keywords(self, words: list[str]) -> None:
        types = self.system.ntypes
        while words:
            word, words = words[0], words[1:]
            if word == "cutoff" and len(words) >= 3:
                i, j, order = integer(words[0], "a type"), integer(words[1], "a type"), number(words[2], "a bond order")
                if not (1 <= i <= types and 1 <= j <= types):
                    raise InputError(f"fix reaxff/species cutoff {i} {j}", f"there are types 1 to {types}")
                if not 0.0 <= order <= 1.0:
                    raise InputError(f"fix reaxff/species: the order {order:g} is no cutoff", "use a number from 0 to 1")
                self.cutoff[i, j] = self.cutoff[j, i] = order
                words = words[3:]
            elif word == "element" and len(words) >= types:
                self.names, words = words[:types], words[types:]
            elif word == "position" and len(words) >= 2:
                self.position, self.path = integer(words[0], "a number of steps"), words[1]
                if self.position < self.nfreq or self.position % self.nfreq:
                    raise InputError(f"fix reaxff/species position {words[0]}", f"use a multiple of NFREQ, {self.nfreq}")
                words = words[2:]
            elif word == "delete":
                self.deletion = Deletion(words)
                words = self.deletion.rest
            elif word == "delete_rate_limit" and self.deletion is None:
                raise InputError("fix reaxff/species: delete_rate_limit without delete", "say what is to be deleted before")
            elif word == "delete_rate_limit" and self.deletion is not None and len(words) >= 2:
                self.deletion.limit(words)
                words = words[2:]
            elif word in KEYWORDS:
                raise InputError(f"fix reaxff/species: '{word}' has too few values", f"usage: {USAGE}")
            else:
                raise unknown("keyword of fix reaxff/species", word, KEYWORDS, f"usage: {USAGE}")

    # ---- files
    def _open(self, path: str) -> None:
        with agreed(self.system.world):
            try:
                self._files[path] = Pieces(path)
            except OSError as error:
                raise cannot_write(path, error, f"fix {self.id}: ") from None

    def _write(self, path: str, text: str) -> None:
        if path not in self._files:
            self._open(path)
        try:
            self._files[path].add(text, True)
        except OSError as error:
            raise cannot_write(path, error, f"fix {self.id}: ") from None

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files = {}

    # ---- a run
    def init(self) -> None:
        style = need_reaxff(self.system, f"fix {self.id}")
        names = self.names or [style.field.names[row] if row >= 0 else "NULL" for row in style.rows[1:]]
        first = [name for name in FIRST if name in names]
        self.shown = [(name, [k for k, other in enumerate(names, 1) if other == name])
                      for name in dict.fromkeys([*first, *names])]
        if self.next < self.system.step:  # steps were left out: by a minimisation, or between frames of rerun
            self.next = -1

    def setup(self) -> None:
        """The first output is that of the set-up; where it needs several samples it has none."""
        if self.next < 0:
            self.next = self.system.step
            if self.deletion and self.deletion.begun < 0:
                self.deletion.begun = self.next
        if self.next == self.system.step:
            self._follow(first=True)

    def _is_sample(self, step: int) -> bool:
        """Samples of an output are taken at its step and NEVERY, 2 NEVERY, … before."""
        left = -step % self.nfreq
        return left % self.nevery == 0 and left // self.nevery < self.nrepeat

    def post_integrate(self) -> None:
        self._follow()

    def _follow(self, first: bool = False) -> None:
        step = self.system.step
        if self._is_sample(step):
            self._sample()
            if step % self.nfreq == 0:
                if self.sampling.count == self.nrepeat:
                    self.done = self.sampling
                self.sampling = Average()
        if step == self.next:
            self._output(first)
            self.next += self.nfreq

    def next_rebuild(self, step: int) -> int:
        due = [when for when in (self.next - self.nfreq, self.next) if when > step]
        return due[0] if self.deletion and self.next >= 0 and due else NEVER

    def pre_exchange(self) -> None:
        system, atoms, gone = self.system, self.system.atoms, self.doomed
        if not len(gone):
            return
        self.doomed = gone[:0]
        atoms.select(np.flatnonzero(~np.isin(atoms.read("id"), gone)))
        if system.natoms < 1:
            raise InputError(f"fix {self.id}: there are no atoms left at step {system.step}", "let more of them stay")
        system.added -= len(gone)
        system.topology.stale = True
        for fix in system.fixes.values():
            fix.new_count()

    def _sample(self) -> None:
        atoms, found, into = self.system.atoms, bond_orders(self.system, f"fix {self.id}"), self.sampling
        ids = atoms.read("id")
        first = ids[found.row]
        once = first < found.partner
        into.count += 1
        into.pairs.append(np.stack([first, found.partner], 1)[once])
        into.orders.append(found.order[once])
        values = np.column_stack([atoms.read("q"), atoms.read("x")])
        for id, row in zip(ids.tolist(), values, strict=True):
            into.sums.setdefault(id, []).append(row)

    # ---- output
    def _all(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[int, Any]]:
        """Ids, types and masses of all atoms of the group, in the order of ids; bonds; sums of samples."""
        system, atoms = self.system, self.system.atoms
        meant = (atoms.read("mask") & self.bit) != 0
        ids, kinds = atoms.read("id")[meant], atoms.read("type")[meant]
        masses = system.masses[kinds]
        pairs, orders = self.done.orders_of_pairs()
        parts = system.ranks.all_of((ids, kinds, masses, pairs, orders, self.done.sums))
        ids, kinds, masses = (np.concatenate([part[k] for part in parts]) for k in range(3))
        place = np.argsort(ids)
        ids, kinds, masses = ids[place], kinds[place], masses[place]
        pairs, orders = np.concatenate([part[3] for part in parts]), np.concatenate([part[4] for part in parts])
        inside = np.isin(pairs, ids).all(axis=1)
        pairs, orders = np.searchsorted(ids, pairs[inside]), orders[inside]
        sums: dict[int, Any] = {}
        for part in parts:
            for id, rows in part[5].items():
                sums.setdefault(id, []).extend(rows)
        return ids, kinds, masses, pairs[orders > self.cutoff[kinds[pairs[:, 0]], kinds[pairs[:, 1]]]], sums

    def _output(self, first: bool) -> None:
        system = self.system
        ids, kinds, masses, bonds, sums = self._all()
        label = _joined(len(ids), bonds)
        _, molecule = np.unique(label, return_inverse=True)  # molecules are in the order of their smallest ids
        count = int(molecule.max()) + 1 if len(ids) else 0
        table = np.zeros((count, system.ntypes + 1), int)
        np.add.at(table, (molecule, kinds), 1)
        formulas = [self._formula(row) for row in table]
        species = dict.fromkeys(formulas, 0)
        for formula in formulas:
            species[formula] += 1
        self.molecules, self.species = count, len(species)
        own = np.searchsorted(ids, system.atoms.read("id"))
        there = (system.atoms.read("mask") & self.bit) != 0
        system.atoms.edit(self.field("molecule"))[:] = np.where(there, molecule[np.minimum(own, len(ids) - 1)] + 1, 0)
        head = "#  Timestep    No_Moles    No_Specs" + "".join(f"{name:>12}" for name in species)
        self._write(self.file, f"{head}\n{system.step:>11}{count:>12}{len(species):>12}"
                    + "".join(f"{value:>12}" for value in species.values()) + "\n")
        if self.position and system.step % self.position == 0:
            self._positions(ids, masses, molecule, formulas, sums, len(species))
        if self.deletion and not first:
            chosen, line = self.deletion.chosen(system.step, formulas, np.bincount(molecule, masses, count))
            self.doomed = ids[np.isin(molecule, chosen)]
            self._write(self.deletion.path, line)

    def _formula(self, row: np.ndarray) -> str:
        found = [(name, int(row[types].sum())) for name, types in self.shown]
        return "".join(name + (str(n) if n > 1 else "") for name, n in found if n)

    def _positions(self, ids: np.ndarray, masses: np.ndarray, molecule: np.ndarray, formulas: list[str], sums: dict[int, Any],
                   species: int) -> None:
        """Charges and centres of mass, from means of samples; parts of a molecule are those nearest to its first atom. A centre
        is (x - xlo)/(xhi - xlo), …, also in a tilted box."""
        box = self.system.need_box()
        if sums:
            means = np.array([np.mean(sums[id], axis=0) for id in ids.tolist()])
            at = box.to_fraction(np.ascontiguousarray(means[:, 1:]))
        edges = "".join(f"  {axis}lo {lo:f}  {axis}hi {hi:f}" for axis, lo, hi in zip("xyz", box.lo, box.hi, strict=True))
        lines = [f"Timestep {self.system.step} NMole {len(formulas)}  NSpec {species}{edges}\n",
                 "ID\tAtom_Count\tType\tTot_q\t\tCoM_x\t\tCoM_y\t\tCoM_z\n"]
        order = np.argsort(molecule, kind="stable")
        ends = np.searchsorted(molecule[order], np.arange(len(formulas) + 1))
        for k, formula in enumerate(formulas):
            rows = order[ends[k] : ends[k + 1]]
            values = np.zeros(4)
            if sums:
                away = at[rows] - at[rows[0]]
                away -= np.round(away) * np.array(box.periodic)
                centre = at[rows[0]] + (masses[rows, None] * away).sum(axis=0) / masses[rows].sum()
                centre = (box.from_fraction(centre[None])[0] - box.lo) / box.lengths
                values[0], values[1:] = means[rows, 0].sum(), np.where(box.periodic, centre % 1.0, centre)
            lines.append(f"{k + 1}\t{len(rows)}\t{formula}" + "".join(f"\t{value:.8f} " for value in values).rstrip() + "\n")
        self._write(self.path.replace("*", str(self.system.step)), "".join(lines) + "#\n" * ("*" not in self.path))

    def vector(self) -> np.ndarray:
        return np.array([self.molecules, self.species], float)

    def peratom(self) -> np.ndarray:
        return self.system.atoms.read(self.field("molecule"))


def _joined(n: int, bonds: np.ndarray) -> np.ndarray:
    """The smallest of the atoms 0 … n - 1 that bonds (m, 2) join each one with."""
    least = np.arange(n)
    while len(bonds):
        before = least.copy()
        low = least[bonds].min(axis=1)
        for side in (0, 1):
            np.minimum.at(least, bonds[:, side], low)
        least = least[least]
        if (least == before).all():
            break
    return least

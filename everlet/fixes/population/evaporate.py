"""Atoms that leave a region."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, integer, unknown, yes_no
from everlet.fixes.base import fix_style
from everlet.fixes.population.base import WARMUP, Population, all_values
from everlet.state.atom_styles import need_field
from everlet.state.random import ParkMiller
from everlet.state.system import System

USAGE = "fix ID group evaporate N M REGION SEED [molecule yes|no]"


@fix_style("evaporate")
class Evaporate(Population):
    """fix ID group evaporate N M REGION SEED [molecule yes|no]: every N steps M atoms of the group in the region are removed,
    or all of them if there are fewer; molecule yes: with all atoms of their molecules, until M or more atoms are gone.

    f_ID: atoms that were removed. Which ones: by place in the order of storage, with the stream of LAMMPS.
    """

    ordered = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, 6, USAGE)
        self.freq, self.flux = integer(args[0], "a number of steps"), integer(args[1], "a number of atoms")
        self.region = self.region_named(args[2]).name
        self.stream = ParkMiller(integer(args[3], "a seed"))
        self.stream.skip(WARMUP)
        if self.freq < 1 or self.flux < 1:
            raise InputError(f"fix evaporate: {args[1]} atoms every {args[0]} steps", "both must be 1 or more")
        if args[4:] and args[4] != "molecule":
            raise unknown("keyword of fix evaporate", args[4], ("molecule",))
        arguments(args[4:], 2 * bool(args[4:]), 2, USAGE)
        self.molecules = bool(args[4:]) and yes_no(args[5], "molecule")
        if self.molecules:
            need_field(system.atoms, "molecule", "fix evaporate molecule yes")
        self.due = system.step // self.freq * self.freq + self.freq

    def act(self) -> None:
        system, atoms = self.system, self.system.atoms
        inside = self.region_named(self.region).inside(atoms.read("x")[:, :3])
        rows = np.flatnonzero(((atoms.read("mask") & self.bit) != 0) & inside)
        ids, _ = all_values(system, atoms.read("id")[rows])
        gone = self._chosen(ids.tolist())
        order = list(range(atoms.n))
        for row in np.flatnonzero(np.isin(atoms.read("id"), gone))[::-1].tolist():  # the last atom takes the place of each
            order[row] = order[-1]
            order.pop()
        atoms.select(np.array(order, np.int64))
        self.count += len(gone)
        self.changed(-len(gone))
        system.topology.stale = True
        self.due = system.step + self.freq

    def _chosen(self, left: list[int]) -> list[int]:
        """Ids of atoms to remove, of a list of those that may be."""
        if not self.molecules:
            taken: list[int] = []
            while left and len(taken) < self.flux:
                place = int(len(left) * self.stream.uniform())
                taken.append(left[place])
                left[place] = left[-1]
                left.pop()
            return taken
        atoms = self.system.whole
        ids, molecule = atoms.read("id"), atoms.read("molecule")
        of = dict(zip(ids.tolist(), molecule.tolist(), strict=True))
        gone: set[int] = set()
        while left and len(gone) < self.flux:
            one = left[int(len(left) * self.stream.uniform())]
            gone |= set(ids[molecule == of[one]].tolist()) if of[one] else {one}
            place = 0
            while place < len(left):
                if left[place] in gone:
                    left[place] = left[-1]
                    left.pop()
                else:
                    place += 1
        return sorted(gone)

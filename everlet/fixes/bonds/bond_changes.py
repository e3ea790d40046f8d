"""What fix bond/break and fix bond/create share: every N steps all ranks look at all atoms and come to the same bonds.

Lists are rebuilt at these steps; links, types and special pairs are then those that follow from the new bonds.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, integer, number
from everlet.fixes.base import Fix, every_steps
from everlet.portable.random import uniforms
from everlet.state.atoms import Atoms
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.special_lists import make_special
from everlet.state.system import System
from everlet.state.topology import BOND, KINDS, Kind, has, rows_of, set_links

CHANGED = ("special", "type", *(name for kind in KINDS.values() for name in (kind.type, kind.atoms)))


class BondChanges(Fix):
    """f_ID[1]: bonds that have changed at the last time, f_ID[2]: in all."""

    gives = Gives(vector=INTENSIVE, length=2)
    reads, writes = ("x", "type", "mask"), ("type",)
    name = ""
    keeps = ("sum",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if not has(system.atoms, BOND):
            raise InputError(f"fix {self.name}: atom style {system.atom_style.name} has no bonds",
                             "use atom_style bond or another that has them")
        self.every = self.rebuild_every = every_steps(args[0], f"fix {self.name}:")
        self.last = self.sum = 0
        self.chance, self.seed = 1.0, 0

    def bond_type(self, word: str) -> int:
        return self.system.topology.type_of(BOND, word)

    def probability(self, values: list[str]) -> None:
        self.chance, self.seed = number(values[0], "a probability"), integer(values[1], "a seed")
        if not 0.0 <= self.chance <= 1.0 or self.seed < 1:
            raise InputError(f"fix {self.name}: prob {' '.join(values)}", "use a probability of 0 to 1 and a seed above 0")

    def post_integrate(self) -> None:
        if self.system.step % self.every:
            return
        system = self.system
        atoms = system.whole
        found = self.change(atoms)
        self.last, self.sum = found, self.sum + found
        if found:
            make_special(atoms, system.topology.special)
            if atoms is not system.atoms:
                self._take(atoms)

    def change(self, atoms: Atoms) -> int:
        """Change the links of all atoms; gives how many bonds have changed."""
        raise NotImplementedError

    def lucky(self, ids: np.ndarray) -> np.ndarray:
        """Which of the bonds of these atoms (their lower id) change, if that depends on chance."""
        if self.chance >= 1.0:
            return np.ones(len(ids), bool)
        return np.array([uniforms(self.seed, int(id), self.system.step, 0)[0] < self.chance for id in ids], bool)

    def mutual(self, atoms: Atoms, pairs: np.ndarray, distances: np.ndarray, longest: bool) -> np.ndarray:
        """Of pairs of rows those whose atoms are each other's choice: the nearest, or the farthest."""
        if not len(pairs):
            return pairs
        order = np.argsort(-distances if longest else distances, kind="stable")
        pairs = pairs[order]
        chosen = np.full(atoms.n, -1)
        for side in (0, 1):
            best = np.full(atoms.n, len(pairs))
            np.minimum.at(best, pairs[:, side], np.arange(len(pairs)))
            chosen = np.where(chosen < 0, best, np.minimum(chosen, best))
        kept = np.arange(len(pairs))
        pairs = pairs[(chosen[pairs[:, 0]] == kept) & (chosen[pairs[:, 1]] == kept)]
        return pairs[self.lucky(atoms.read("id")[pairs].min(axis=1))]

    def _take(self, whole: Atoms) -> None:
        """What has changed of all atoms, for those of this rank."""
        atoms = self.system.atoms
        rows = rows_of(whole, atoms.read("id"))
        for name in CHANGED:
            if name in whole.fields:
                if name in atoms.fields and atoms.view(name).width != whole.view(name).width:
                    atoms.remove_field(name)
                if name not in atoms.fields:
                    atoms.like(name, whole.fields[name])
                atoms.edit(name)[:] = whole.read(name)[rows]

    def store(self, atoms: Atoms, kind: Kind, table: np.ndarray) -> None:
        set_links(atoms, kind, table, self.system.topology.extra[kind.name])

    def vector(self) -> np.ndarray:
        return np.array([self.last, self.sum], float)

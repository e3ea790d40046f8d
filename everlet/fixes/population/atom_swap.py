"""Atoms that exchange their types, or change them, by Monte Carlo."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown, yes_no
from everlet.fixes.base import fix_style
from everlet.fixes.population.monte_carlo import Gathered, MonteCarlo, of_single_pairs, whole_energy
from everlet.state.masses import OWN
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group atom/swap N X SEED T types I J … [ke yes|no] [semi-grand yes|no] [mu MU1 MU2 …] [region ID]"


@fix_style("atom/swap")
class AtomSwap(MonteCarlo):
    """fix ID group atom/swap N X SEED T types I J … [ke yes|no] [semi-grand yes|no] [mu MU1 MU2 …] [region ID]: every N steps,
    first in the next one, X trials: an atom of type I and one of type J exchange their types (and charges), with the
    probability min[1, exp(-dU / kT)].

    semi-grand yes: one atom takes another one of the types, with exp[-(dU - mu' + mu) / kT], mu by type. ke yes (the default):
    velocities are scaled so that kinetic energies stay. f_ID[1]: trials, f_ID[2]: those that were accepted. Numbers are
    those of the reference on one rank. Works on the host; of many-body styles each trial looks at
    all atoms.
    """

    gives = Gives(vector=INTENSIVE, length=2)
    keeps = ("due", "trials", "taken")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 7, None, USAGE)
        self.freq, self.cycles = (integer(word, "a number of steps or trials") for word in args[:2])
        self.draw_from(integer(args[2], "a seed"))
        self.kt = system.units.boltz * number(args[3], "a temperature")
        if self.freq < 1 or self.cycles < 0 or self.kt <= 0.0:
            raise InputError(f"fix atom/swap {' '.join(args[:4])}", "N must be 1 or more, X 0 or more, and T above 0")
        self.types: list[int] = []
        self.keeps_energy, self.grand, self.mu, self.region = True, False, np.zeros(system.ntypes + 1), ""
        words = list(args[4:])
        while words:
            self._word(words.pop(0), words)
        if len(self.types) < 2 or not self.grand and len(self.types) != 2:
            raise InputError("fix atom/swap exchanges two types, with semi-grand yes two or more", f"usage: {USAGE}")
        if self.mu.any() and not self.grand:
            raise InputError("fix atom/swap mu is for semi-grand yes", "leave it out, or add semi-grand yes")
        self.due, self.trials, self.taken = system.step + 1, 0, 0

    def _word(self, word: str, words: list[str]) -> None:
        if word == "types":
            while words and not words[0][0].isalpha():
                self.types.append(self.system.type_of(words.pop(0)))
            return
        if word not in ("ke", "semi-grand", "mu", "region"):
            raise unknown("keyword of fix atom/swap", word, ("types", "ke", "semi-grand", "mu", "region"), f"usage: {USAGE}")
        arguments(words[:1], 1, 1, USAGE)
        if word == "mu":
            for type in range(1, self.system.ntypes + 1):
                arguments(words[:1], 1, 1, "mu has a number for each type")
                self.mu[type] = number(words.pop(0), "a chemical potential")
        elif word == "region":
            self.region = self.region_named(words.pop(0)).name
        else:
            yes = yes_no(words.pop(0), f"fix atom/swap {word}")
            self.keeps_energy, self.grand = (yes, self.grand) if word == "ke" else (self.keeps_energy, yes)

    def act(self) -> None:
        self.atoms = Gathered(self.system, f"fix {self.id}")
        self.single = self._alone()
        before = self.atoms.type.copy()
        self.inside = self.atoms.mask & self.bit != 0
        if self.region:
            self.inside &= self.region_named(self.region).inside(self.atoms.x)
        self.energy = 0.0 if self.single else whole_energy(self.system)
        for _ in range(self.cycles):
            self.trials += 1
            self.taken += self._one_type() if self.grand else self._two_types()
        self.due = self.system.step + self.freq
        if not np.array_equal(before, self.atoms.type):
            self._put(before, self.keeps_energy)

    def _alone(self) -> bool:
        """Atoms that change their types can be looked at one by one."""
        return of_single_pairs(self.system)

    def _put(self, before: np.ndarray, scale: bool) -> None:
        """Types and charges to the atoms of this rank; scale: velocities by what types were."""
        atoms, all_atoms = self.system.atoms, self.atoms
        place = {int(id): k for k, id in enumerate(all_atoms.id)}
        rows = np.array([place[int(id)] for id in atoms.read("id")], np.int64)
        if scale and OWN not in atoms.fields:
            mass = self.system.masses
            atoms.edit("v")[:] *= np.sqrt(mass[before[rows]] / mass[all_atoms.type[rows]])[:, None]
        atoms.edit("type")[:] = all_atoms.type[rows]
        if all_atoms.q is not None:
            atoms.edit("q")[:] = all_atoms.q[rows]

    def _rows(self, *types: int) -> np.ndarray:
        return np.flatnonzero(self.inside & np.isin(self.atoms.type, types))

    def _two_types(self) -> bool:
        one, other = self.types
        ones, others = self._rows(one), self._rows(other)
        if not len(ones) or not len(others):
            return False
        i, j = (int(rows[int(len(rows) * self.stream.uniform())]) for rows in (ones, others))
        change = self._change({i: other, j: one})
        return self._decide(self.stream.uniform() < math.exp(min(-change / self.kt, 0.0)), {i: other, j: one}, change)

    def _one_type(self) -> bool:
        rows = self._rows(*self.types)
        if not len(rows):
            return False
        i = int(rows[int(len(rows) * self.stream.uniform())])
        old = new = int(self.atoms.type[i])
        while new == old:
            new = self.types[int(len(self.types) * self.own.uniform())]
        change = self._change({i: new})
        cost = change - self.mu[new] + self.mu[old]
        return self._decide(self.own.uniform() < math.exp(min(-cost / self.kt, 0.0)), {i: new}, change)

    def _charges(self, to: dict[int, int]) -> dict[int, float]:
        """What rows that change their type have then: two that exchange it exchange these, one takes that of its new type."""
        q = self.atoms.q
        if q is None:
            return dict.fromkeys(to, 0.0)
        if len(to) == 2:
            i, j = to
            return {i: float(q[j]), j: float(q[i])}
        (i, type), = to.items()
        return {i: float(q[np.flatnonzero(self.atoms.type == type)[0]]) if (self.atoms.type == type).any() else float(q[i])}

    def _change(self, to: dict[int, int]) -> float:
        """The energy with rows of other types, less that of now."""
        atoms, charges = self.atoms, self._charges(to)
        if self.single:
            return sum(atoms.energy(atoms.x[k], type, charges[k], list(to))
                       - atoms.energy(atoms.x[k], int(atoms.type[k]), 0.0 if atoms.q is None else float(atoms.q[k]), list(to))
                       for k, type in to.items())
        self._set(to, charges)
        return whole_energy(self.system) - self.energy

    def _set(self, to: dict[int, int], charges: dict[int, float]) -> None:
        """New types and charges of rows, of the atoms themselves, too, where the whole system is looked at."""
        atoms = self.atoms
        self.old = {k: (int(atoms.type[k]), 0.0 if atoms.q is None else float(atoms.q[k])) for k in to}
        for k, type in to.items():
            atoms.type[k] = type
            if atoms.q is not None:
                atoms.q[k] = charges[k]
        if not self.single:
            self._put(atoms.type, False)

    def _decide(self, yes: bool, to: dict[int, int], change: float) -> bool:
        if self.single and yes:
            self._set(to, self._charges(to))
        if not self.single and yes:
            self.energy += change
        if not self.single and not yes:
            self._set({k: type for k, (type, _) in self.old.items()}, {k: charge for k, (_, charge) in self.old.items()})
        return yes

    def vector(self) -> np.ndarray:
        return np.array([self.trials, self.taken], float)

"""Exchange of atoms with a reservoir, by Monte Carlo."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.population.monte_carlo import Gathered, MonteCarlo, atoms_alone, check_particle, of_single_pairs
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = ("fix ID group gcmc N X M TYPE SEED T MU DISPLACE [pressure P] [fugacity_coeff F] [charge Q] [overlap_cutoff R] "
         "[tfac_insert F] [max N] [min N] [group GROUP]")
NUMBERS = {"pressure": 0.0, "fugacity_coeff": 1.0, "charge": 0.0, "overlap_cutoff": 0.0, "tfac_insert": 1.0, "max": math.inf,
           "min": -1.0}
REFUSED = ("mol", "mcmoves", "rigid", "shake", "region", "maxangle", "full_energy", "grouptype", "intra_energy")
HIGHEST = 700.0  # exponent


@fix_style("gcmc")
class Gcmc(MonteCarlo):
    """fix ID group gcmc N X M TYPE SEED T MU DISPLACE [keyword …]: every N steps, first in the next one, about X trials to
    put in an atom of TYPE or take out one of the group, and about M to move one by up to DISPLACE.

    Accepted with zV/(n+1) exp(-U/kT), n/(zV) exp(U/kT) and exp(-dU/kT), U the energy of an atom with all others, n how many
    the group has, z = exp(MU/kT) / L^3, L = h / sqrt(2 pi m kT), in lj units 1; or z = F P / kT (pressure, fugacity_coeff).
    New atoms have velocities of the temperature T times tfac_insert, and belong to the group, and to `group`. There are from
    min to max.
    f_ID[1-8]: trials and successes of moves, of atoms that come, that go, of rotations (none). Numbers are those of the
    reference on one rank. Of pair styles of distances, without tail, links and long-range charges;
    atoms alone, no molecules. Works on the host.
    """

    gives = Gives(vector=INTENSIVE, length=8)
    keeps = ("due", "counts")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 8, None, USAGE)
        atoms_alone("gcmc", args[8:], REFUSED, USAGE)
        self.freq, self.exchanges, self.moves = (integer(word, "a number of steps or trials") for word in args[:3])
        self.type = system.type_of(args[3])
        self.draw_from(integer(args[4], "a seed"))
        temperature, self.mu, self.far = (number(word, "a number of fix gcmc") for word in args[5:8])
        self.kt = system.units.boltz * temperature
        if self.freq < 1 or min(self.exchanges, self.moves) < 0 or self.kt <= 0.0 or self.far < 0.0:
            raise InputError(f"fix gcmc {' '.join(args[:8])}", "N must be 1 or more, X, M and DISPLACE 0 or more, T above 0")
        self.given, self.groups = dict(NUMBERS), int(self.bit)
        for word, value in zip(args[8::2], [*args[9::2], ""], strict=False):
            if word == "group":
                self.groups |= int(system.groups.bit(value))
            elif word in NUMBERS:
                self.given[word] = number(value, f"the value of {word}")
            else:
                raise unknown("keyword of fix gcmc", word, (*NUMBERS, "group"), f"usage: {USAGE}")
        check_particle(system, "gcmc", "charge" in args[8::2])
        positive = ("pressure", "fugacity_coeff", "overlap_cutoff", "tfac_insert")
        if word := next((word for word in positive if self.given[word] < 0.0), ""):
            raise InputError(f"fix gcmc {word} {self.given[word]:g}", "give 0 or more")
        self.by_pressure = "pressure" in args[8::2]
        self.due, self.counts = system.step + 1, np.zeros(8)

    def init(self) -> None:
        if self.system.pair is not None and self.system.evaluator is not None and not of_single_pairs(self.system):
            raise InputError(f"fix {self.id}: energies of single atoms are not sums of pairs here",
                             "use a pair style of distances, without tail, links and kspace_style")

    def activity(self) -> float:
        system, units = self.system, self.system.units
        if self.by_pressure:
            return self.given["pressure"] * self.given["fugacity_coeff"] / (self.kt * units.nktv2p)
        thermal = 1.0
        if units.name != "lj":
            thermal = units.hplanck / math.sqrt(2.0 * math.pi * system.masses[self.type] * units.mvv2e * self.kt)
        return math.exp(min(self.mu / self.kt, HIGHEST)) / thermal**3

    # ---- the trials of a step
    def act(self) -> None:
        self.init()
        self.atoms = Gathered(self.system, f"fix {self.id}")
        self.volume, self.z = self.system.need_box().volume, self.activity()
        trials, equal = self.exchanges + self.moves, self.stream.uniform
        for _ in range(trials):
            kind = int(equal() * trials) + 1
            chance = equal()
            if kind <= self.moves:
                self._move()
            elif chance < 0.5:
                self._remove()
            else:
                self._insert()
        self.due = self.system.step + self.freq

    def _gas(self) -> np.ndarray:
        return np.flatnonzero(self.atoms.mask & self.bit)

    def _charge(self, row: int) -> float:
        return 0.0 if self.atoms.q is None else float(self.atoms.q[row])

    def _energy(self, place: np.ndarray, type: int, charge: float, but: list[int]) -> float:
        if self.given["overlap_cutoff"] and self.atoms.nearest_atom(place, but) < self.given["overlap_cutoff"]:
            return math.inf
        return self.atoms.energy(place, type, charge, but)

    def _factor(self, energy: float) -> float:
        return math.exp(min(-energy / self.kt, HIGHEST))

    def _move(self) -> None:
        gas, unequal, atoms = self._gas(), self.own.uniform, self.atoms
        self.counts[0] += 1
        if not len(gas):
            return
        row = int(gas[int(len(gas) * self.stream.uniform())])
        type, charge = int(atoms.type[row]), self._charge(row)
        before = self._energy(atoms.x[row], type, charge, [row])
        way = np.full(3, 2.0)
        while (way**2).sum() > 1.0:
            way = np.array([2.0 * unequal() - 1.0 for _ in range(3)])
        place = atoms.x[row] + self.far * way
        after = self._energy(place, type, charge, [row])
        if math.isfinite(after) and unequal() < self._factor(after - before):
            here = self.system.atoms
            mine = np.flatnonzero(here.read("id") == atoms.id[row])
            here.edit("x")[mine, :3] += self.far * way
            self.atoms.box.wrap(place[None], np.zeros((1, 3), np.int32))
            atoms.x[row] = place
            self.counts[1] += 1

    def _remove(self) -> None:
        gas, atoms = self._gas(), self.atoms
        self.counts[4] += 1
        if not len(gas) or len(gas) <= self.given["min"]:
            return
        row = int(gas[int(len(gas) * self.stream.uniform())])
        energy = self._energy(atoms.x[row], int(atoms.type[row]), self._charge(row), [row])
        room = self.z * self.volume
        if not self.own.uniform() < (len(gas) * self._factor(-energy) / room if room else math.inf):
            return
        here, order = self.system.atoms, list(range(self.system.atoms.n))
        for mine in np.flatnonzero(here.read("id") == atoms.id[row]).tolist():  # the last atom takes its place
            order[mine] = order[-1]
            order.pop()
        here.select(np.array(order, np.int64))
        atoms.remove(row)
        self.counts[5] += 1
        self._told(-1)

    def _insert(self) -> None:
        system, atoms, equal = self.system, self.atoms, self.stream.uniform
        gas = len(self._gas())
        self.counts[2] += 1
        if gas >= self.given["max"]:
            return
        box, charge = system.need_box(), self.given["charge"]
        if box.triclinic:
            place = box.from_fraction(np.array([[equal() for _ in range(3)]]))[0]
        else:
            place = np.array([low + equal() * (high - low) for low, high in zip(box.lo.tolist(), box.hi.tolist(), strict=True)])
        energy = self._energy(place, self.type, charge, [])
        if not (math.isfinite(energy) and self.own.uniform() < self.z * self.volume * self._factor(energy) / (gas + 1)):
            return
        width = math.sqrt(self.given["tfac_insert"] * self.kt / (system.masses[self.type] * system.units.mvv2e))
        v = np.array([width * self.own.gaussian() for _ in range(3)])
        id, mask = int(atoms.id.max(initial=0)) + 1, int(system.groups.bit("all")) | self.groups
        atoms.add(place, id, self.type, mask, charge)
        columns = {"x": place[None], "v": v[None], "id": np.array([id]), "type": np.array([self.type]), "mask": mask}
        if atoms.q is not None:
            columns["q"] = np.array([charge])
        here = system.atoms
        if system.ranks.rank == 0:  # the exchange that follows brings it to its owner
            here.append(**columns)
        else:
            here.append(x=np.zeros((0, 3)))
        self.counts[3] += 1
        self._told(1, here.n - 1 if system.ranks.rank == 0 else -1)

    def _told(self, number: int, row: int = -1) -> None:
        """So many atoms have come, the last one in this row."""
        system = self.system
        system.added += number
        system.topology.stale = True
        for fix in system.fixes.values():
            fix.new_count()
        if number > 0:
            rows = np.array([row] if row >= 0 else [], np.int64)
            for operation in (*system.fixes.values(), *system.computes.values()):
                operation.new_atoms(rows)

    def vector(self) -> np.ndarray:
        return self.counts

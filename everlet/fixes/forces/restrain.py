"""Bonds, angles and dihedrals of a few atoms that are held at given values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from everlet.errors import InputError, RunError, arguments, integer, number, unknown
from everlet.fixes.base import ForceFix, fix_style
from everlet.forces.bonded.base import link_function
from everlet.portable import Portable, cos, least, portable
from everlet.state.clock import ramped
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = ("fix ID group restrain bond|lbound ID1 ID2 K K_END R0 [R0_END] | angle ID1 ID2 ID3 K K_END THETA0 | "
         "dihedral ID1 ID2 ID3 ID4 K K_END PHI0 [mult N] …")


@portable
def stretched(r, p):
    return p.k * (r - p.at) ** 2


@portable
def too_short(r, p):
    return p.k * least(r - p.at, 0.0) ** 2


@portable
def bent(theta, p):
    return p.k * (theta - p.at) ** 2


@portable
def turned(phi, p):
    return p.k * (1.0 + cos(p.n * phi - p.at))


FORMULAS: dict[str, tuple[str, Portable, int]] = {  # kind of links, energy, place of its sum in f_ID
    "bond": ("bond", stretched, 0), "lbound": ("bond", too_short, 1), "angle": ("angle", bent, 2),
    "dihedral": ("dihedral", turned, 3)}
SIZES = {"bond": 2, "angle": 3, "dihedral": 4}


@dataclass
class Restraint:
    """One of them; `at` goes from its first to its last number in a run, as k does."""

    link: Any
    place: int
    ids: list[int]
    k: tuple[float, float]
    at: tuple[float, float]
    n: int = 1


@fix_style("restrain")
class Restrain(ForceFix):
    """fix ID group restrain KEYWORD … …: energies of links of atoms that are named by their ids, the group does not matter.

        bond ID1 ID2 K K_END R0 [R0_END]         K (r - R0)^2
        lbound ID1 ID2 K K_END R0 [R0_END]       the same where r < R0
        angle ID1 ID2 ID3 K K_END THETA0         K (theta - THETA0)^2, degrees
        dihedral ID1 … ID4 K K_END PHI0 [mult N] K [1 + cos(N phi - PHI0)], degrees

    K and R0 go to their ends in the course of a run. f_ID: energy; f_ID[1-4]: those of bonds, lbound, angles, dihedrals (the
    reference gives 0 for f_ID[3], and has no f_ID[4]). It works on the host.
    """

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=4)
    has_energy = minimizes = True
    reads, writes = ("f", "x", "id"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 6, None, USAGE)
        self.restraints, words = [], list(args)
        while words:
            self.restraints.append(self._read(words))
        self.ids = np.unique([one for restraint in self.restraints for one in restraint.ids])
        self.energies = np.zeros(4)

    def _read(self, words: list[str]) -> Restraint:
        """The next one; its words are taken away."""
        keyword = words.pop(0)
        if keyword not in FORMULAS:
            raise unknown("keyword of fix restrain", keyword, FORMULAS, f"usage: {USAGE}")
        kind, formula, place = FORMULAS[keyword]
        size = SIZES[kind]
        arguments(words[: size + 3], size + 3, size + 3, USAGE)
        ids = [integer(words.pop(0), "the id of an atom") for _ in range(size)]
        if len(set(ids)) < size:
            raise InputError(f"fix {self.id}: {keyword} names an atom twice", "name different atoms")
        k, end, at = (number(words.pop(0), "a number of a restraint") for _ in range(3))
        last, n = at, 1
        if kind == "bond" and words and words[0] not in FORMULAS:
            last = number(words.pop(0), "R0_END")
        if kind == "dihedral" and words[:1] == ["mult"]:
            arguments(words[1:2], 1, 1, USAGE)
            n = integer(words[1], "N")
            del words[:2]
        if n < 0:
            raise InputError(f"fix {self.id}: mult {n}", "give 0 or more")
        unit = 1.0 if kind == "bond" else math.pi / 180.0
        return Restraint(link_function(kind, formula, False, ("k", "at", "n") if keyword == "dihedral" else ("k", "at")).body,
                         place, ids, (k, end), (unit * at, unit * last), n)

    def _places(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions of the atoms by place in self.ids, and rows of those of this rank, or -1."""
        atoms = self.system.atoms
        here, rows = np.zeros((len(self.ids), 4)), np.full(len(self.ids), -1)
        id = atoms.read("id")
        mine = np.flatnonzero(np.isin(id, self.ids))
        at = np.searchsorted(self.ids, id[mine])
        rows[at], here[at, :3], here[at, 3] = mine, atoms.read("x")[mine, :3], 1.0
        here = self.system.ranks.sum(here)
        if not here[:, 3].all():
            lost = self.ids[here[:, 3] == 0][0]
            raise RunError(f"fix {self.id}: there is no atom {lost} at step {self.system.step}", "correct its ids")
        return here[:, :3], rows

    def _now(self, ends: tuple[float, float]) -> float:
        system = self.system
        return ramped(system.step, *ends, system.run_start, system.run_stop)

    def post_force(self) -> None:
        x, rows = self._places()
        f, box = self.system.atoms.edit("f"), self.system.need_box()
        self.energies = np.zeros(4)
        for one in self.restraints:
            at = np.searchsorted(self.ids, one.ids)
            others = np.delete(at, 1)
            steps = box.nearest(np.diff(x[at], axis=0))  # of the chain of atoms
            ways = np.vstack([-steps[:1], np.cumsum(steps[1:], axis=0)])
            p = SimpleNamespace(k=self._now(one.k), at=self._now(one.at), n=one.n)
            energy, *slopes = one.link(*ways.ravel().tolist(), p, None)
            self.energies[one.place] += energy
            forces = -np.reshape(slopes, (-1, 3))
            for place, force in zip((*others, at[1]), (*forces, -forces.sum(axis=0)), strict=True):
                if rows[place] >= 0:
                    f[rows[place]] += force

    def scalar(self) -> float:
        return float(self.energies.sum())

    def vector(self) -> np.ndarray:
        return self.energies

"""Walls that are surfaces of a region."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.given_force import virials
from everlet.fixes.walls.region_contacts import contacts
from everlet.fixes.walls.wall_harmonic import WallHarmonic
from everlet.fixes.walls.wall_lj93 import WallLJ93
from everlet.fixes.walls.wall_lj126 import WallLJ126
from everlet.fixes.walls.wall_lj1043 import WallLJ1043
from everlet.fixes.walls.wall_morse import WallMorse
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

LAWS = {"lj93": WallLJ93, "lj126": WallLJ126, "lj1043": WallLJ1043, "harmonic": WallHarmonic, "morse": WallMorse}
USAGE = "fix ID group wall/region REGION lj93|lj126|lj1043|harmonic EPSILON SIGMA CUTOFF | morse D ALPHA R0 CUTOFF"


@fix_style("wall/region")
class WallRegion(ForceFix):
    """fix ID group wall/region REGION lj93|lj126|lj1043|harmonic EPSILON SIGMA CUTOFF | morse D ALPHA R0 CUTOFF: energies of
    flat walls, with the distance to each surface of a region that atoms are in.

    f_ID: energy; f_ID[1-3]: force on the wall. It works on the host.
    """

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=3)
    has_energy = has_virial = minimizes = True
    reads, writes = ("f", "x", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, 6, USAGE)
        self.region = args[0]
        one_of("region", self.region, system.regions)
        one_of("style of fix wall/region", args[1], LAWS, f"usage: {USAGE}")
        count = len(LAWS[args[1]].coefficients) + 1
        arguments(args[2:], count, count, USAGE)
        self.law = LAWS[args[1]].law
        *numbers, self.cutoff = (number(word, "a coefficient") for word in args[2:])
        self.numbers = (*(numbers + [0.0])[:3], self.cutoff)
        if self.cutoff <= 0.0:
            raise InputError(f"fix {id}: the cutoff must be above zero", "correct it")
        self.sums = np.zeros(10)
        self.touched: list[tuple[np.ndarray, np.ndarray]] = []  # of each surface: rows of atoms, and their virials

    def init(self) -> None:
        if self.region not in self.system.regions:
            raise InputError(f"region {self.region} was removed while fix {self.id} uses it", "define it again")

    def post_force(self) -> None:
        system, atoms, region = self.system, self.system.atoms, self.system.regions[self.region]
        meant = np.flatnonzero(atoms.read("mask") & self.bit)
        x = atoms.read("x")[meant]
        outside = int((~region.inside(x)).sum())
        end = self.law(self.cutoff, *self.numbers)[0]
        self.sums, self.touched, forces = np.zeros(10), [], atoms.edit("f")
        for rows, distance, vectors in contacts(region, x, self.cutoff):
            if not len(rows):
                continue
            outside += int((distance <= 0.0).sum())
            if outside:
                break
            energy, push = np.array([self.law(r, *self.numbers) for r in distance.tolist()]).T
            force = (push / distance)[:, None] * vectors
            forces[meant[rows]] += force
            self.sums[0] += (energy - end).sum()
            self.sums[1:4] -= force.sum(axis=0)
            self.touched.append((meant[rows], virials(force, vectors)))
            self.sums[4:] += self.touched[-1][1].sum(axis=0)
        if outside:
            raise InputError(f"fix {self.id}: {outside} atoms are on the surface of region {self.region} or outside at step "
                             f"{system.step}", "make the region larger, or use a smaller timestep")

    def scalar(self) -> float:
        return float(self.over_ranks(self.sums)[0])

    def vector(self) -> np.ndarray:
        return self.over_ranks(self.sums)[1:4]

    def atom_virials(self) -> Any:
        found = np.zeros((self.system.atoms.n, 6))
        for rows, shares in self.touched:
            found[rows] += shares
        return found

    def virial_now(self) -> Any:
        return self.over_ranks(self.sums)[4:]

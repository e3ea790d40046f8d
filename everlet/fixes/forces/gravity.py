"""Gravity: the same acceleration for all atoms."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.forces.spring import PULL
from everlet.fixes.given_number import GivenNumber
from everlet.portable import Kernel, f64, i32, parallel_for, parallel_reduce, portable
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group gravity G chute ANGLE | spherical PHI THETA | vector X Y Z"
WORDS = {"chute": 1, "spherical": 2, "vector": 3}


@portable
def height(i, x: f64[:, 4], kind: i32[:], mass: f64[:], mask: i32[:], bit: i32, gx: f64, gy: f64, gz: f64):
    """m g x of one atom."""
    found = 0.0
    if mask[i] & bit:
        found = mass[kind[i]] * (gx * x[i, 0] + gy * x[i, 1] + gz * x[i, 2])
    return found


HEIGHT = Kernel(height, sums=1)


@fix_style("gravity")
class Gravity(ForceFix):
    """fix ID group gravity G chute ANGLE | spherical PHI THETA | vector X Y Z: F += m g; numbers or v_NAME, angles in degrees.

    g = G (sin THETA cos PHI, sin THETA sin PHI, cos THETA); chute: PHI 0, THETA 180 - ANGLE; vector: along X Y Z. In two
    dimensions G (sin THETA, cos THETA). f_ID: -sum m g x, x in the box.
    """

    gives = Gives(scalar=EXTENSIVE)
    has_energy = steady = True
    reads, writes = ("x", "f", "type", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        self.way = one_of("way of fix gravity", args[1], WORDS)
        count = 2 + WORDS[self.way]
        arguments(args, count, count + 1, USAGE)
        if args[count:] not in ([], ["disable"]):
            raise InputError(f"fix gravity: unknown word '{args[count]}'", f"usage: {USAGE}")
        self.numbers = [GivenNumber(system, word, "a number", f"fix {id}") for word in (args[0], *args[2:count])]
        self.off = bool(args[count:])

    def init(self) -> None:
        for one in self.numbers:
            one.init()

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for one in self.numbers for need in one.needs(step))

    def kernels(self) -> list[Kernel]:
        return [PULL]

    def acceleration(self) -> np.ndarray:
        """g, in units of acceleration."""
        size, *given = [one.now() for one in self.numbers]
        flat = self.system.dimension == 2
        if self.way == "vector":
            along = np.array(given) * (1.0, 1.0, 0.0 if flat else 1.0)
            length = float(np.sqrt((along**2).sum()))
            if length == 0.0:
                raise InputError(f"fix {self.id}: gravity has no direction", "give X Y Z that are not all zero")
            return size * along / length
        phi, theta = (0.0, math.pi - math.radians(given[0])) if self.way == "chute" else map(math.radians, given)
        if flat:
            return size * np.array([math.sin(theta), math.cos(theta), 0.0])
        return size * np.array([math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)])

    def post_force(self) -> None:
        if self.off:
            return
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, PULL, atoms.view("f", modify=True), system.mass_kind(), system.masses_view(),
                     atoms.view("mask"), self.bit, *self.acceleration().tolist())

    def scalar(self) -> float:
        system, atoms = self.system, self.system.atoms
        found = parallel_reduce(system.space, atoms.n, HEIGHT, atoms.view("x"), system.mass_kind(), system.masses_view(),
                                atoms.view("mask"), self.bit, *self.acceleration().tolist())
        return -float(system.ranks.sum(found)[0]) * (not self.off)

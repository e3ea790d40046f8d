"""Walls that throw atoms back with velocities of their own temperature."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, one_of
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.walls.faces import Face, faces
from everlet.state.random import Marsaglia
from everlet.state.system import System

NUMBERS = {"diffusive": (), "maxwell": ("ACCOMMODATION",), "ccl": ("AX", "AY", "AZ")}
USAGE = ("fix ID group wall/reflect/stochastic diffusive|maxwell|ccl SEED xlo|xhi|ylo|yhi|zlo|zhi EDGE|PLACE|v_NAME T VX VY VZ "
         "[A (maxwell) | AX AY AZ (ccl)] … [units lattice|box]")


@fix_style("wall/reflect/stochastic")
class WallReflectStochastic(Fix):
    """fix ID group wall/reflect/stochastic diffusive|maxwell|ccl SEED xlo|… EDGE|PLACE|v_NAME T VX VY VZ [A | AX AY AZ] …
    [units lattice|box]: atoms that have moved behind a wall go back to where they met it, and on with a new velocity.

    diffusive: normal numbers of the wall's temperature about its velocity, across it s sqrt(-2 ln u). maxwell: so for a share A
    of atoms, others are mirrored. ccl (Cercignani, Lampis, Lord): along the wall (1 - a) v + a V with the variance
    a (2 - a) s^2, across it sqrt(w^2 + (1 - a) v^2 + 2 cos(2 pi u') w sqrt(1 - a) v), w^2 = -2 a s^2 ln u. s^2 = k T / m.

    Works on the host. Numbers are those of LAMMPS on one rank.
    """

    reads, writes = ("x", "v", "mask", "type"), ("x", "v")
    ordered = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        one_of("style of fix wall/reflect/stochastic", args[0], NUMBERS, f"usage: {USAGE}")
        self.law, self.seed = args[0], integer(args[1], "a seed")
        names = ("T", "VX", "VY", "VZ", *NUMBERS[self.law])
        self.faces = faces(system, args[2:], f"fix {id} (wall/reflect/stochastic)", names, ("units",), USAGE)
        self._check(system)
        self.stream = Marsaglia(self.seed + system.world.rank)

    def _check(self, system: System) -> None:
        if system.need_box().triclinic:
            raise InputError("fix wall/reflect/stochastic in a tilted box", "use an orthogonal box")
        for face in self.faces:
            if any(given.name for given in face.numbers):
                raise InputError(f"fix {self.id}: numbers of wall {face.name} cannot be variables", "only its place can")
            heat, *others = (given.constant for given in face.numbers)
            if heat <= 0.0 or others[face.axis] != 0.0 or any(not 0.0 <= value <= 1.0 for value in others[3:]):
                raise InputError(f"fix {self.id}: wall {face.name} has {' '.join(f'{v:g}' for v in (heat, *others))}",
                                 "a temperature above 0, no velocity across the wall, accommodation from 0 to 1")

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for face in self.faces for need in face.place.needs(step))

    def init(self) -> None:
        for face in self.faces:
            face.place.init()

    def post_integrate(self) -> None:
        atoms = self.system.atoms
        members = (atoms.read("mask") & self.bit) != 0
        for face in self.faces:
            place = face.place.now()
            rows = np.flatnonzero(members & (face.side * (atoms.read("x")[:, face.axis] - place) < 0.0))
            if len(rows):
                x, v = atoms.edit("x"), atoms.edit("v")
                for row in rows.tolist():
                    self._bounce(face, place, x[row], v[row], float(self.system.masses_of()[row]))

    def _bounce(self, face: Face, place: float, x: np.ndarray, v: np.ndarray, mass: float) -> None:
        units, (heat, *numbers) = self.system.units, (given.constant for given in face.numbers)
        s2 = heat * units.boltz / (mass * units.mvv2e)
        s, since, old = math.sqrt(s2), (x[face.axis] - place) / v[face.axis], v[:3].copy()
        mirrored = self.law == "maxwell" and not self.stream.uniform() < numbers[3]
        for axis in range(3):
            across = axis == face.axis
            if mirrored:
                new = -old[axis] if across else old[axis]
            elif self.law == "ccl":
                new = self._scattered(old[axis], s2, numbers[3 + axis], numbers[axis], face.side if across else 0.0)
            else:
                new = face.side * s * math.sqrt(-2.0 * math.log(self.stream.uniform())) if across else (
                    numbers[axis] + s * self.stream.gaussian())
            x[axis] = (place if across else x[axis] - old[axis] * since) + new * since
            v[axis] = new

    def _scattered(self, old: float, s2: float, a: float, wall: float, side: float) -> float:
        if not side:
            return (1.0 - a) * old + a * wall + math.sqrt(a * (2.0 - a) * s2) * self.stream.gaussian()
        w2, turn = -2.0 * a * s2 * math.log(self.stream.uniform()), math.cos(2.0 * math.pi * self.stream.uniform())
        return side * math.sqrt(w2 + (1.0 - a) * old**2 + 2.0 * turn * math.sqrt((1.0 - a) * w2) * side * old)

    def state(self) -> dict[str, Any]:
        return {"mark": self.stream.mark(), "kept": self.stream.kept}

    def restore(self, state: dict[str, Any]) -> None:
        self.stream.back(state["mark"], 0)
        self.stream.kept = state["kept"]

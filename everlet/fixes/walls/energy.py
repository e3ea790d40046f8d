"""Flat walls whose energy depends on the distance: what all such styles share."""
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.fixes.base import ForceFix
from everlet.fixes.walls.faces import faces
from everlet.portable import Kernel, View, f64, i32, i64, parallel_reduce, portable, real
from everlet.portable.sums import ADD_UP
from everlet.state.atom_styles import need_field
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


@portable
def push_off(i, f: f64[:, 3], x: f64[:, 4], mask: i32[:], bit: i32, axis: i64, side: f64, place: f64, a: f64, b: f64, c: f64,
             cutoff: f64, radius: f64[:], table: real[:], data: f64[:]):
    """LAW gives energy and -dE/dr at a distance; SIZED: its third number is the radius of the atom. TABLED: it gives -dE/dr and
    energy from nodes in `data`, by the numbers of a record of `table`, which begins at a.
    Energy, force on the wall, virial of one atom, and 1 if it is behind it."""
    energy = 0.0
    force = 0.0
    virial = 0.0
    behind = 0.0
    if mask[i] & bit:
        r = side * (x[i, axis] - place)
        third = c
        nearest = 0.0
        if SIZED:
            third = radius[i]
            nearest = third
        if r < cutoff:
            if r <= nearest:
                behind = 1.0
            else:
                if TABLED:
                    p = record(table, i64(a))
                    slope, energy = LAW(r, p, data)
                    _, end = LAW(cutoff, p, data)
                    force = -slope
                if not TABLED:
                    energy, force = LAW(r, a, b, third, cutoff)
                    end, _ = LAW(cutoff, a, b, third, cutoff)
                energy -= end
                virial = force * r
                force *= side
                f[i, axis] += force
    return energy, -force, virial, behind


class Wall(ForceFix):
    """fix ID group STYLE xlo|xhi|ylo|yhi|zlo|zhi EDGE|PLACE|v_NAME COEFFICIENTS CUTOFF … [units lattice|box] [pbc yes|no]:
    E(r) - E(CUTOFF) of atoms nearer than CUTOFF; EDGE: where the box ends when the fix is defined.

    f_ID: energy; f_ID[k]: force on the k-th wall. A style gives `law` and `coefficients`, those of `variables` may be v_NAME.
    """

    law: Any = None  # kernel text: r, coefficients -> energy, -dE/dr
    columns: tuple[str, ...] = ()  # of the records of a table, in place of a law of numbers
    sized = False  # the law needs the radius of the atom, in place of a third coefficient
    coefficients: tuple[str, ...] = ("EPSILON", "SIGMA")
    variables: tuple[str, ...] = ("EPSILON", "SIGMA")
    has_energy = has_virial = minimizes = True
    reads, writes = ("f", "x", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        names = (*self.coefficients, "CUTOFF")
        usage = f"fix ID group STYLE xlo|… EDGE|PLACE|v_NAME {' '.join(names)} … [units lattice|box] [pbc yes|no]"
        self.faces = faces(system, args, f"fix {id}", names, ("units", "fld", "pbc"), usage)
        self.gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=len(self.faces))
        for face in self.faces:
            for name, given in zip(names, face.numbers, strict=True):
                if given.name and name not in self.variables:
                    raise InputError(f"fix {id}: {name} of wall {face.name} cannot be a variable", "write a number")
            if not face.numbers[-1].constant > 0.0:
                raise InputError(f"fix {id}: the cutoff of wall {face.name} must be above zero", "correct it")
        self.acted: list[tuple[float, ...]] = []  # of each face: where it was, and its numbers
        if self.sized:
            need_field(system.atoms, "radius", f"fix {id}")
        self.unsized = self.table = self.data = View(1, np.float64, system.space)
        self.sums = [View(4, np.float64, system.space) for _ in self.faces]

    def _kernel(self) -> Kernel:
        known = ("LAW", self.law), ("SIZED", self.sized), ("TABLED", bool(self.columns))
        return Kernel(push_off, sums=4, statics=known, fields=self.columns)

    def kernels(self) -> list[Kernel]:
        return [self._kernel(), ADD_UP]

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for face in self.faces for given in face.given for need in given.needs(step))

    def init(self) -> None:
        for face in self.faces:
            for given in face.given:
                given.init()

    def post_force(self) -> None:
        system, atoms, self.acted = self.system, self.system.atoms, []
        radius = atoms.view("radius") if self.sized else self.unsized
        for face, sums in zip(self.faces, self.sums, strict=True):
            *numbers, cutoff = (given.now() for given in face.numbers)
            for name, given, value in zip(self.coefficients, face.numbers, numbers, strict=False):
                if given.name and value < 0.0:
                    raise InputError(f"fix {self.id}: {name} of wall {face.name} is {value:g}", "it must not be negative")
            self.acted.append((face.place.now(), *(numbers + [0.0, 0.0, 0.0])[:3], cutoff))
            parallel_reduce(system.space, atoms.n, self._kernel(), atoms.view("f", modify=True), atoms.view("x"),
                            atoms.view("mask"), self.bit, face.axis, face.side, *self.acted[-1], radius,
                            self.table, self.data, into=sums)
            behind = int(sums.get()[3])
            if behind:
                raise InputError(f"fix {self.id}: {behind} atoms are on or behind wall {face.name} at step {system.step}",
                                 "move the wall away from the atoms, or use a smaller timestep")

    def _sums(self) -> np.ndarray:
        return self.over_ranks(np.array([sums.get() for sums in self.sums]))

    def scalar(self) -> float:
        return float(self._sums()[:, 0].sum())

    def vector(self) -> np.ndarray:
        return self._sums()[:, 1]

    def atom_virials(self) -> Any:
        """F r of each atom, along the axis of the wall."""
        atoms = self.system.atoms
        found, members = np.zeros((atoms.n, 6)), (atoms.read("mask") & self.bit) != 0
        for face, (place, *numbers) in zip(self.faces, self.acted, strict=True):
            r = face.side * (atoms.read("x")[:, face.axis] - place)
            rows = np.flatnonzero(members & (r < numbers[-1]))
            third = atoms.read("radius")[rows] if self.sized else np.full(len(rows), numbers[2])
            found[rows, face.axis] += [self._push(one, (*numbers[:2], c, numbers[3])) * one
                                       for one, c in zip(r[rows].tolist(), third.tolist(), strict=True)]
        return found

    def _push(self, r: float, numbers: tuple[float, ...]) -> float:
        """-dE/dr."""
        return float(self.law(r, *numbers)[1])

    def virial_now(self) -> Any:
        found = np.zeros(6)
        np.add.at(found, [face.axis for face in self.faces], self._sums()[:, 2])
        return found

"""Temperature of some components of the velocities."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.base import Temperature
from everlet.errors import InputError, arguments
from everlet.portable import Kernel, View, f64, i32, local, parallel_for, parallel_reduce, portable, put_row
from everlet.state.system import System


@portable
def kinetic_of(i, v: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, mass: f64[:], a: f64, b: f64, c: f64):
    """m v_a v_b of the components that count (xx yy zz xy xz yz) and 1, or zeros if the atom is not in the group."""
    m = 0.0
    one = 0.0
    if mask[i] & bit:
        m = mass[kind[i]]
        one = 1.0
    x = a * v[i, 0]
    y = b * v[i, 1]
    z = c * v[i, 2]
    return m * x * x, m * y * y, m * z * z, m * x * y, m * x * z, m * y * z, one


@local
@portable
def take(i, v: f64[:, 3], taken: f64[:, 3], mask: i32[:], bit: i32, a: f64, b: f64, c: f64):
    """Put components that do not count away; back by `give`."""
    if mask[i] & bit:
        put_row(taken, i, (1.0 - a) * v[i, 0], (1.0 - b) * v[i, 1], (1.0 - c) * v[i, 2])
        v[i, 0] = a * v[i, 0]
        v[i, 1] = b * v[i, 1]
        v[i, 2] = c * v[i, 2]


@local
@portable
def give(i, v: f64[:, 3], taken: f64[:, 3], mask: i32[:], bit: i32):
    if mask[i] & bit:
        for k in range(3):
            v[i, k] = v[i, k] + taken[i, k]


KINETIC = Kernel(kinetic_of, sums=7)


@compute_style("temp/partial")
class TempPartial(Temperature):
    """compute ID group temp/partial X Y Z: 1 for components that count, 0 for others. N_f is their share of that of temp."""

    biased = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, "compute ID group temp/partial 1 1 0")
        if any(word not in ("0", "1") for word in args):
            raise InputError(f"compute temp/partial takes 0 or 1 for x y z, found '{' '.join(args)}'", "for example: 1 1 0")
        if system.dimension == 2 and args[2] == "1":
            raise InputError("compute temp/partial: z does not count in two dimensions", "give 0 for z")
        self.flags = tuple(map(float, args))
        self.taken = View((0, 3), np.float64, system.space)

    def kernels(self) -> list[Kernel]:
        return [KINETIC, Kernel(take), Kernel(give)]

    def degrees(self, count: float) -> float:
        d, part = self.system.dimension, sum(self.flags)
        return max(part * count - part / d * (self.extra + self.removed), 0.0)

    def _arguments(self) -> tuple[Any, ...]:
        system, atoms = self.system, self.system.atoms
        return (system.space, atoms.n, KINETIC, atoms.view("v"), system.mass_kind(), atoms.view("mask"), self.bit,
                system.masses_view(), *self.flags)

    def sums(self) -> np.ndarray:
        return self.system.ranks.sum(parallel_reduce(*self._arguments()))

    def sums_into(self, view: View) -> bool:
        parallel_reduce(*self._arguments(), into=view)
        return True

    def take_bias(self, bit: Any=None, again: bool=False) -> None:
        atoms = self.system.atoms
        if self.taken.shape[0] < atoms.n:
            self.taken = View((atoms.capacity, 3), np.float64, self.system.space)
        parallel_for(self.system.space, atoms.n, take, atoms.view("v", modify=True), self.taken, atoms.view("mask"),
                     self.bit if bit is None else bit, *self.flags)

    def give_bias(self, bit: Any=None) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, give, atoms.view("v", modify=True), self.taken, atoms.view("mask"),
                     self.bit if bit is None else bit)

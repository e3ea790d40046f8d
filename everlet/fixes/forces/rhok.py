"""A bias on one Fourier component of the density: how crystalline a system is (pinning of interfaces)."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, integer, number
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, View, add_row, cos, f64, i32, parallel_for, parallel_reduce, portable, sin, sqrt
from everlet.portable.sums import ADD_UP
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@portable
def wave(i, x: f64[:, 4], mask: i32[:], bit: i32, kx: f64, ky: f64, kz: f64):
    """cos and -sin of k r of one atom."""
    phase = kx * x[i, 0] + ky * x[i, 1] + kz * x[i, 2]
    re = 0.0
    im = 0.0
    if mask[i] & bit:
        re = cos(phase)
        im = -sin(phase)
    return re, im


@portable
def pull(i, f: f64[:, 3], x: f64[:, 4], mask: i32[:], bit: i32, kx: f64, ky: f64, kz: f64, k: f64, a: f64, root: f64,
         sums: f64[:]):
    """F = K (|rho| - a) (Re sin + Im cos) / (|rho| sqrt(N)) k of one atom."""
    if mask[i] & bit:
        phase = kx * x[i, 0] + ky * x[i, 1] + kz * x[i, 2]
        size = sqrt(sums[0] * sums[0] + sums[1] * sums[1])
        force = k * (size / root - a) * (sums[0] * sin(phase) + sums[1] * cos(phase)) / (size * root)
        add_row(f, i, force * kx, force * ky, force * kz)


WAVE, PULL = Kernel(wave, sums=2), Kernel(pull)


@fix_style("rhok")
class Rhok(ForceFix):
    """fix ID group rhok NX NY NZ K A

    U = K/2 (|rho| - A)^2, rho = sum exp(-i k r) / sqrt(N) over the group, k = 2 pi (NX / Lx, NY / Ly, NZ / Lz) of the box in
    which the fix was defined. f_ID: U; f_ID[1], f_ID[2]: real and imaginary part of rho; f_ID[3]: |rho|.
    """

    steady = True
    gives = Gives(scalar=INTENSIVE, vector=INTENSIVE, length=3)
    has_energy = True
    reads, writes = ("f", "x", "mask"), ("f",)
    keeps = ("k",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, 5, "fix ID group rhok NX NY NZ K A")
        waves = np.array([integer(word, "a number of waves") for word in args[:3]])
        self.strength, self.target = number(args[3], "K"), number(args[4], "A")
        box = system.need_box()
        if not waves.any():
            raise InputError("fix rhok with a wave vector of zero", "give NX NY NZ, one of them not 0")
        if box.triclinic or not all(periodic or n == 0 for periodic, n in zip(box.periodic, waves, strict=True)):
            raise InputError("fix rhok with waves that are not periodic in the box", "use a periodic box without tilt")
        self.k = 2.0 * math.pi * waves / box.lengths
        self.sums = View(2, np.float64, system.space)

    def kernels(self) -> list[Kernel]:
        return [WAVE, PULL, ADD_UP]

    def init(self) -> None:
        atoms = self.system.atoms
        mine = np.array([np.count_nonzero(atoms.read("mask") & self.bit)])
        self.root = math.sqrt(float(self.system.ranks.sum(mine)[0]))
        if self.root == 0.0:
            raise InputError(f"fix {self.id}: group {self.group} has no atoms", "give one that has some")

    def post_force(self) -> None:
        system, atoms, k = self.system, self.system.atoms, self.k.tolist()
        parallel_reduce(system.space, atoms.n, WAVE, atoms.view("x"), atoms.view("mask"), self.bit, *k, into=self.sums)
        if system.ranks.size > 1:
            self.sums.put(system.ranks.sum(self.sums.get()))
        parallel_for(system.space, atoms.n, PULL, atoms.view("f", modify=True), atoms.view("x"), atoms.view("mask"), self.bit,
                     *k, self.strength, self.target, self.root, self.sums)

    def scalar(self) -> float:
        return 0.5 * self.strength * (float(self.vector()[2]) - self.target) ** 2

    def vector(self) -> np.ndarray:
        re, im = self.sums.get() / self.root
        return np.array([re, im, math.hypot(re, im)])

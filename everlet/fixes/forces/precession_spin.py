"""Fields on spins: of a magnet, and of the axes of a crystal."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, number, unknown
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Kernel, View, add_row, f64, i32, i64, parallel_reduce, portable
from everlet.portable.sums import ADD_UP
from everlet.state.atom_styles import need_field
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group precession/spin [zeeman H X Y Z] [anisotropy K X Y Z] [cubic K1 K2 N1 (three) N2 N3]"
REFUSED = ("stt", "hexaniso")
COUNT = {"zeeman": 4, "anisotropy": 4, "cubic": 11}
NUMBERS = 20  # of each fix: field of the magnet (3), tensor of the anisotropy (xx yy zz xy xz yz), K1, K2 and three axes
MAGNETON = 5.78901e-5  # eV/T, as the reference has it
G = 2.0


@portable
def field_of(b: i64, sx: f64, sy: f64, sz: f64, moment: f64, outer: f64[:]):
    """Field on a spin, and its energy; numbers of a fix begin at b, in units of energy."""
    hx = outer[b] * moment
    hy = outer[b + 1] * moment
    hz = outer[b + 2] * moment
    mx = outer[b + 3] * sx + outer[b + 6] * sy + outer[b + 7] * sz
    my = outer[b + 6] * sx + outer[b + 4] * sy + outer[b + 8] * sz
    mz = outer[b + 7] * sx + outer[b + 8] * sy + outer[b + 5] * sz
    k1 = outer[b + 9]
    k2 = outer[b + 10]
    p = outer[b + 11] * sx + outer[b + 12] * sy + outer[b + 13] * sz
    q = outer[b + 14] * sx + outer[b + 15] * sy + outer[b + 16] * sz
    r = outer[b + 17] * sx + outer[b + 18] * sy + outer[b + 19] * sz
    dp = 2.0 * p * (k1 * (q * q + r * r) + k2 * q * q * r * r)
    dq = 2.0 * q * (k1 * (p * p + r * r) + k2 * p * p * r * r)
    dr = 2.0 * r * (k1 * (p * p + q * q) + k2 * p * p * q * q)
    e = (hx * sx + hy * sy + hz * sz + mx * sx + my * sy + mz * sz
         + k1 * (p * p * q * q + q * q * r * r + p * p * r * r) + k2 * p * p * q * q * r * r)
    return (hx + 2.0 * mx + dp * outer[b + 11] + dq * outer[b + 14] + dr * outer[b + 17],
            hy + 2.0 * my + dp * outer[b + 12] + dq * outer[b + 15] + dr * outer[b + 18],
            hz + 2.0 * mz + dp * outer[b + 13] + dq * outer[b + 16] + dr * outer[b + 19], -e)


@portable
def magnetise(i, spin: f64[:, 4], fm: f64[:, 3], mask: i32[:], bit: i32, outer: f64[:], rate: f64):
    """More field on a spin, and its energy."""
    e = 0.0
    if mask[i] & bit:
        hx, hy, hz, u = field_of(0, spin[i, 0], spin[i, 1], spin[i, 2], spin[i, 3], outer)
        e = u
        add_row(fm, i, rate * hx, rate * hy, rate * hz)
    return e


MAGNETISE = Kernel(magnetise, sums=1)


@fix_style("precession/spin")
class PrecessionSpin(Fix):
    """fix ID group precession/spin [zeeman H X Y Z] [anisotropy K X Y Z] [cubic K1 K2 N1 (three) N2 N3]

    E = -g mu_B H m s.n - K (s.n)^2 - K1 [(s.n1)^2 (s.n2)^2 + (s.n2)^2 (s.n3)^2 + (s.n1)^2 (s.n3)^2] - K2 (s.n1 s.n2 s.n3)^2 of
    each spin s of moment m; H in T, energies in eV (units metal); directions are made of length 1. fix nve/spin turns spins.

    f_ID: E.
    """

    gives = Gives(scalar=EXTENSIVE)
    steady = has_energy = True
    reads, writes = ("spin", "mask"), ("fm",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        need_field(system.atoms, "spin", "fix precession/spin")
        if system.units.name != "metal":
            raise InputError("fix precession/spin is for units metal", "use units metal")
        self.numbers, words = np.zeros(NUMBERS), list(args)
        while words:
            word = words.pop(0)
            if word in REFUSED:
                raise InputError(f"fix precession/spin: {word} is not available", "leave it out")
            if word not in COUNT:
                raise unknown("keyword of fix precession/spin", word, COUNT, f"usage: {USAGE}")
            arguments(words[: COUNT[word]], COUNT[word], COUNT[word], USAGE)
            self._add(word, np.array([number(one, f"a number of {word}") for one in words[: COUNT[word]]]))
            words = words[COUNT[word] :]
        self.outer, self.sums = View(NUMBERS, np.float64, system.space), View(1, np.float64, system.space)
        self.outer.put(self.numbers)

    def _add(self, word: str, given: np.ndarray) -> None:
        count = 2 if word == "cubic" else 1
        ways = given[count:].reshape(-1, 3)
        sizes = np.sqrt((ways**2).sum(axis=1))
        if (sizes == 0.0).any():
            raise InputError(f"fix precession/spin: {word} has no direction", "give three numbers that are not all zero")
        ways = ways / sizes[:, None]
        if word == "zeeman":
            self.numbers[:3] += G * MAGNETON * given[0] * ways[0]
        elif word == "anisotropy":
            x, y, z = ways[0]
            self.numbers[3:9] += given[0] * np.array([x * x, y * y, z * z, x * y, x * z, y * z])
        else:
            self.numbers[9:11], self.numbers[11:20] = given[:2], ways.ravel()

    def kernels(self) -> list[Kernel]:
        return [MAGNETISE, ADD_UP]

    def setup(self) -> None:
        self.post_force()

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_reduce(system.space, atoms.n, MAGNETISE, atoms.view("spin"), atoms.view("fm", modify=True), atoms.view("mask"),
                        self.bit, self.outer, 2.0 * math.pi / system.units.hplanck, into=self.sums)

    def scalar(self) -> float:
        return float(self.over_ranks(self.sums.get())[0])

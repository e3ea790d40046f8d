"""Temperature and kinetic tensor of a group."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.base import Temperature
from everlet.errors import no_arguments
from everlet.portable import Kernel, View, f64, i32, parallel_reduce, portable
from everlet.state.groups import Bit
from everlet.state.system import System


@portable
def kinetic(i, v: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, mass: f64[:]):
    """m v_a v_b of one atom (xx yy zz xy xz yz) and 1, or zeros if it is not in the group."""
    m = 0.0
    one = 0.0
    if mask[i] & bit:
        m = mass[kind[i]]
        one = 1.0
    return (m * v[i, 0] * v[i, 0], m * v[i, 1] * v[i, 1], m * v[i, 2] * v[i, 2], m * v[i, 0] * v[i, 1],
            m * v[i, 0] * v[i, 2], m * v[i, 1] * v[i, 2], one)


KINETIC = Kernel(kinetic, sums=7)


def kinetic_arguments(system: System, bit: Bit) -> tuple[Any, ...]:
    atoms = system.atoms
    return system.space, atoms.n, KINETIC, atoms.view("v"), system.mass_kind(), atoms.view("mask"), bit, system.masses_view()


def kinetic_sums(system: System, bit: Bit) -> np.ndarray:
    """Sums of m v_a v_b (xx yy zz xy xz yz) and the number of atoms of a group."""
    return system.once(("kinetic", bit), lambda: system.ranks.sum(parallel_reduce(*kinetic_arguments(system, bit))))


@compute_style("temp")
class Temp(Temperature):
    """compute ID group temp"""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", "temp")

    def setup(self) -> None:
        if self.bit == 1:  # the group all: nothing needs to be counted
            self.counted = self.degrees(self.system.natoms)
        else:
            super().setup()

    def kernels(self) -> list[Kernel]:
        return [KINETIC]

    def sums(self) -> np.ndarray:
        return kinetic_sums(self.system, self.bit)

    def sums_into(self, view: View) -> bool:
        parallel_reduce(*kinetic_arguments(self.system, self.bit), into=view)
        return True

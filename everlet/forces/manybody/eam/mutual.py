"""Potentials of pairs that depend on one or two numbers of each of the two atoms, which neighbours make:

E = 1/2 sum_ij W_ij(r_ij, a_i, b_i, a_j, b_j),  a_i = sum_j g_ij(r_ij),  b_i = sum_j h_ij(r_ij)

where W is the same from both sides. A style gives two functions of the parameters p of a pair of types (i, j):

    amount(r2, p, data)                         -> g, dg/dr, h, dh/dr
    mutual(r2, a_i, b_i, a_j, b_j, p, data)     -> W, dW/dr, dW/da_i, dW/db_i

Without `two` there is no b, and its numbers are 0. Every step: the numbers of atoms, which are sent to ghosts; the slopes of
the energy with those of each owned atom, to which both sides of its pairs give the same; then forces, of half of each pair and
of what it adds to the numbers of i.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.eam import mutual_loops
from everlet.forces.manybody.eam.own_rows import OwnRows, OwnRowsParameters
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Portable, Space, View
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

mutual_scheme: Registry[type[Scheme]] = Registry("scheme of pairs with numbers of atoms")


@mutual_scheme("full")
class Mutual(OwnRows):
    communicates = True
    parameters: MutualParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.numbers = [View(0, np.float64, system.space)]

    def launch(self, tally: Tally | None, comm: SerialComm, force: ScatterView, own: Any) -> None:
        system, par = self.system, self.parameters
        rows, count = system.atoms.view("x").shape[0], 2 if par.two else 1
        if self.numbers[0].shape[0] != rows:
            self.numbers = [View(rows, np.float64, system.space) for _ in range(2 * count)]
        self.rows.fill()
        given, slopes = self.numbers[:count], self.numbers[count:]
        numbers = given[0], given[-1]
        everything = *numbers, slopes[0], slopes[-1]
        amount, mutual = {"amount": par.amount, "TWO": par.two}, {"mutual": par.mutual, "TWO": par.two}
        self.run(None, mutual_loops.amount_loop, 0, amount, *numbers)
        for k, view in enumerate(given):
            comm.forward_values(system, f"{par.label} {k}{self.label}", view)
        self.run(tally, mutual_loops.pull_loop, 1, mutual, *everything, own)
        self.run(tally, mutual_loops.mutual_forces, 6, {**self.giving, **amount, **mutual}, *everything, force, at=1)


class MutualParameters(OwnRowsParameters):
    worker = Mutual

    def __init__(self, style: MutualStyle, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.amount, self.mutual, self.two, self.label = style.amount, style.mutual, style.two, style.name


class MutualStyle(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = mutual_scheme
    of_kernels = MutualParameters
    two: ClassVar[bool] = False
    amount: ClassVar[Portable]
    mutual: ClassVar[Portable]

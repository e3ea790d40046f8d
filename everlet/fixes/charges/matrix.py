"""The couplings of charges within a cutoff: a sparse matrix with a full row for every atom, without its diagonal.

Row i has length[i] entries from i * depth on: all rows have the same room, a little more than the longest needs, and are never
moved together. A row that does not fit makes the room larger, and rows are filled again. Columns are 32-bit places in vectors
of two numbers per atom: a periodic image stands for its atom, and on several ranks vectors have the atoms of others once
(comm/distinct.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm.mpi import AT_HOME
from everlet.comm.serial import HOMES
from everlet.fixes.charges import matrix_loops as loops
from everlet.forces.cube_root import LAST, guesses
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.traits import WIDEST
from everlet.state.control import TROUBLE
from everlet.state.system import System

GRAIN = 32  # rows have room for a multiple of so many
SPARE = 1.08
PACKING, FILLING = 8, WIDEST  # threads that share a row, where there are many
AHEAD = 4  # entries that each of them has under way in products; the last step may read behind the end of a row


def pack(grouped: bool, dense: bool) -> Kernel:
    return Kernel(loops.pack_row, statics=(("GROUPED", grouped), ("DENSE", dense)), team=PACKING)


def fill(coupling: Any) -> Kernel:
    return Kernel(loops.fill_row, statics=(("COUPLING", coupling),), team=FILLING)


class Matrix:
    """coupling: of matrix_loops.py, with a number for every two types, of which `use` tells (types + 1)^2, and two for all."""

    def __init__(self, system: System, bit: int, coupling: Any, high: float, numbers: tuple[float, float]):
        self.system, self.bit, self.coupling, self.high, self.numbers = system, bit, coupling, high, numbers
        space = system.space
        self.depth = self.rows = 0
        self.column, self.length = View(0, np.int32, space), View(0, np.int32, space)
        self.value, self.table = View(0, np.float64, space), View(0, np.float64, space)
        self.home = View(0, np.int32, space)
        self.roots = View(LAST + 1, np.float64, space)
        self.roots.put(guesses())

    @property
    def near(self) -> Any:
        """The list of the run."""
        return self.system.evaluator.neighbor

    def _pack(self) -> Kernel:
        return pack(self.bit != 1, self.near.dense)

    def _fill(self) -> Kernel:
        return fill(self.coupling)

    def kernels(self) -> list[Kernel]:
        return [AT_HOME if self.system.ranks.size > 1 else HOMES, self._pack(), self._fill()]

    def use(self, table: np.ndarray) -> None:
        if self.table.shape[0] != table.size:
            self.table = View(table.size, np.float64, self.system.space)
        self.table.put(table.ravel())

    def build(self) -> None:
        """Rows for the present positions."""
        atoms, space, near = self.system.atoms, self.system.space, self.near
        while True:
            self._reserve()
            parallel_for(space, atoms.n, self._pack(), atoms.view("x"), atoms.view("mask"), self.bit, near.neigh, near.count,
                         near.first, near.si, near.sk, self.high**2, self.depth, space.place, self.column, self.length,
                         space.control)
            if space.queue is not None or not space.read_control()[TROUBLE]:
                break
            space.reset_control()
            self.depth *= 2
        parallel_for(space, atoms.n, self._fill(), atoms.view("x"), atoms.view("type"), self.home, self.table,
                     self.system.ntypes + 1, *self.numbers, self.roots, self.depth, self.length, self.column, self.value)

    def _reserve(self) -> None:
        """Room for all rows. The first guess follows from the list, which reaches farther than the cutoff."""
        atoms, space, near = self.system.atoms, self.system.space, self.near
        if not self.depth:
            most = int(space.to_host(near.count.data[: atoms.n]).max(initial=0))
            share = min(1.0, SPARE * (self.high / near.radius) ** 3)
            self.depth = (int(most * share) // GRAIN + 2) * GRAIN
        if self.length.shape[0] < atoms.n or self.column.shape[0] < self.depth * atoms.n:
            self.rows = atoms.n if not self.rows else int(SPARE * atoms.n) + 16
            self.length = View(self.rows, np.int32, space)
            places = self.rows * self.depth + AHEAD * FILLING
            self.column, self.value = (View(places, kind, space) for kind in (np.int32, np.float64))

"""The solver of fix acks2/reaxff: see condensed_loops.py for the method and its kernels."""

from __future__ import annotations

import numpy as np

from everlet.fixes.charges import condensed_loops as loops
from everlet.fixes.charges import matrix_loops
from everlet.fixes.charges.condensed_loops import EVEN, ITERATIONS, NUMBERS, ODD, PRESSED, SQUARE
from everlet.fixes.charges.iterations import Iterations, Stage, demand
from everlet.fixes.charges.matrix import AHEAD, FILLING, PACKING, Matrix
from everlet.fixes.charges.solver import chunk
from everlet.portable import Kernel, Space, View, parallel_for, parallel_reduce
from everlet.state.system import System

CENTRE, CHARGE, RESIDUAL, BEGIN, SETTLE = map(Kernel, (loops.centre, loops.charge, loops.residual, loops.begin, loops.settle))
GUESS = Kernel(loops.guess, sums=4)


def press(space: Space) -> Kernel:
    return Kernel(loops.press, sums=2, team=space.shared(FILLING), statics=(("AHEAD", AHEAD if space.many_threads else 1),))


def soften(space: Space) -> Kernel:
    return Kernel(loops.soften, sums=3, team=space.shared(PACKING))


def advance(space: Space) -> Kernel:
    return Kernel(loops.advance, statics=(("CHUNK", chunk(space)),))


def turn(space: Space) -> Kernel:
    return Kernel(loops.turn, statics=(("CHUNK", chunk(space)),))


def all_kernels(space: Space) -> list[Kernel]:
    return [GUESS, CENTRE, CHARGE, RESIDUAL, BEGIN, SETTLE, demand(1), press(space), soften(space), advance(space), turn(space)]


class Condensed(Iterations):
    """matrix: H; bonds: X, the rows of all atoms, whose reach and softness the fix says. potential: the field of potentials."""

    numbers_used, counted = NUMBERS, ITERATIONS
    turns = (EVEN, ODD), (ODD, EVEN)
    potential = ""

    def __init__(self, system: System, matrix: Matrix, tolerance: float, most: int):
        super().__init__(system, matrix, tolerance, most)
        self.bonds = Matrix(system, 1, matrix_loops.soft_bonds, 0.0, (0.0, 0.0))

    def kernels(self) -> list[Kernel]:
        return all_kernels(self.system.space)

    def matrices(self) -> list[Matrix]:
        return [self.matrix, self.bonds]

    # ---- loops
    def _press(self, first: bool, now: int) -> None:
        matrix, atoms, space = self.matrix, self.system.atoms, self.system.space
        parallel_reduce(space, atoms.n, press(space), atoms.view("type"), self.eta.view, matrix.depth, matrix.length,
                        matrix.column, matrix.value, int(first), now, self.tolerance, self.numbers, self.d.data,
                        self.product.data, into=self.numbers, at=PRESSED)

    def _soften(self, first: bool, now: int, after: int) -> None:
        bonds, space = self.bonds, self.system.space
        parallel_reduce(space, self.system.atoms.n, soften(space), bonds.depth, bonds.length, bonds.column, bonds.value,
                        int(first), now, self.tolerance, self.numbers, self.b.data, self.d.data, self.product.data,
                        into=self.numbers, at=after)

    @property
    def _items(self) -> int:
        """A rank without atoms has one too, which counts."""
        return max(-(-self.system.atoms.n // chunk(self.system.space)), 1)

    def _advance(self, now: int) -> None:
        parallel_for(self.system.space, self._items, advance(self.system.space), self.system.atoms.n, now, self.tolerance,
                     self.numbers, self.b.data, self.product.data, self.x.data, self.r.data, self.d.data)

    def _turn(self, first: bool, now: int, after: int) -> None:
        parallel_for(self.system.space, self._items, turn(self.system.space), self.system.atoms.n, int(first), now, after,
                     self.tolerance, self.numbers, self.b.data, self.product.data, self.r.data, self.d.data)

    # ---- solving
    def stages(self, now: int, after: int) -> list[Stage]:
        return [Stage(self.d, lambda: self._press(False, now), PRESSED, 2),
                Stage(None, lambda: self._advance(now)),
                Stage(self.d, lambda: self._soften(False, now, after), after, 3),
                Stage(None, lambda: self._turn(False, now, after))]

    def start(self, bit: int, *histories: View) -> None:
        self._reserve()
        atoms, space, n = self.system.atoms, self.system.space, self.system.atoms.n
        x, b, r, d, product = (view.data for view in (self.x, self.b, self.r, self.d, self.product))
        parallel_for(space, 1, BEGIN, self.numbers)
        self._sum(GUESS, SQUARE, atoms.view("type"), atoms.view("mask"), bit, self.chi.view, self._places(), *self.field,
                  *histories, x, b)
        parallel_for(space, n, CENTRE, self.numbers, x, b, r, d)
        self._first_soften(ODD)
        parallel_for(space, n, CHARGE, ODD, self.numbers, b, product, x, d)
        self._forward(self.d)
        self._press(True, EVEN)
        self._over_ranks(PRESSED, 2)
        parallel_for(space, n, RESIDUAL, self.numbers, b, product, x, d)
        self._first_soften(EVEN)
        self._turn(True, ODD, EVEN)

    def _first_soften(self, after: int) -> None:
        self._forward(self.d)
        self._soften(True, EVEN, after)
        self._over_ranks(after, 3)

    def settle(self, bit: int, *histories: View) -> None:
        atoms, space = self.system.atoms, self.system.space
        parallel_for(space, atoms.n, SETTLE, atoms.view("mask"), bit, self.x.data, self.d.data, atoms.view("q", modify=True),
                     atoms.view(self.potential, modify=True), *histories)

    def residual(self, which: int) -> np.ndarray:
        found: np.ndarray = self.product.get()[: self.system.atoms.n, 1]
        return found

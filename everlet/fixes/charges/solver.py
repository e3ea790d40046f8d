"""Two methods of conjugate gradients side by side: the matrix is read once for both. See solver_loops.py for the kernels."""

from __future__ import annotations

import numpy as np

from everlet.fixes.charges import solver_loops as loops
from everlet.fixes.charges.iterations import Iterations, Stage, demand
from everlet.fixes.charges.matrix import AHEAD, FILLING
from everlet.fixes.charges.solver_loops import CURVATURE, ITERATIONS, NUMBERS, SIGMA, SQUARE, SUMS
from everlet.portable import Kernel, Space, View, parallel_for, parallel_reduce
from everlet.portable.kernels import lane_width
from everlet.portable.sums import ADD_UP

GUESS, BEGIN, SETTLE, DEMAND = Kernel(loops.guess), Kernel(loops.begin), Kernel(loops.settle), demand(2)
REMEMBER = Kernel(loops.remember_both)
RESIDUAL, SUM = Kernel(loops.residual, sums=4), Kernel(loops.sum_solutions, sums=2)
FEW = [RESIDUAL, DEMAND, BEGIN, SETTLE, SUM, ADD_UP]
TOGETHER = 4  # products that a core has under way
CHUNK = 128


def multiply(space: Space) -> Kernel:
    """On a CPU lanes are the two numbers of an atom, elsewhere they go along the row."""
    if not space.simd:
        return Kernel(loops.multiply, sums=8, team=FILLING, statics=(("PAIRED", False), ("AHEAD", AHEAD)))
    together = min(TOGETHER, lane_width("cpu", "double"))  # rows are filled up to whole steps of lanes
    return Kernel(loops.multiply, sums=8, statics=(("PAIRED", True), ("TOGETHER", together)), width=2)


def chunk(space: Space) -> int:
    """Atoms of an item of `advance`: what they have in common is computed once."""
    return space.in_turn(CHUNK)


def advance(space: Space) -> Kernel:
    return Kernel(loops.advance, statics=(("CHUNK", chunk(space)),))


class Solver(Iterations):
    systems, numbers_used, counted = 2, NUMBERS, ITERATIONS
    turns = (SIGMA, SIGMA + 2), (SIGMA + 2, SIGMA)  # r D^-1 r before and after iterations of even, of odd number

    guessing, remembering = GUESS, REMEMBER

    def kernels(self) -> list[Kernel]:
        return [*FEW, self.guessing, self.remembering, advance(self.system.space), multiply(self.system.space)]

    def _multiply(self, of: View, first: bool, now: int) -> None:
        matrix, atoms, space = self.matrix, self.system.atoms, self.system.space
        parallel_reduce(space, atoms.n, multiply(space), atoms.view("type"), self.eta.view, matrix.depth, matrix.length,
                        matrix.column, matrix.value, int(first), now, self.tolerance, self.numbers, self.r.data, of.data,
                        self.product.data, into=self.numbers, at=CURVATURE)

    def _advance(self, now: int, after: int) -> None:
        atoms, space = self.system.atoms, self.system.space
        items = max(-(-atoms.n // chunk(space)), 1)
        parallel_for(space, items, advance(space), atoms.n, atoms.view("type"), self.eta.view, now, after, self.tolerance,
                     self.numbers, self.product.data, self.x.data, self.r.data, self.d.data)

    def stages(self, now: int, after: int) -> list[Stage]:
        return [Stage(self.d, lambda: self._multiply(self.d, False, now), CURVATURE, 8),
                Stage(None, lambda: self._advance(now, after))]

    def start(self, bit: int, *histories: View) -> None:
        """Guesses, residuals, first directions."""
        self._reserve()
        atoms, space = self.system.atoms, self.system.space
        parallel_for(space, 1, BEGIN, self.numbers)
        self._guess(bit, *histories)
        self._forward(self.x)
        self._multiply(self.x, True, SIGMA)
        self._sum(RESIDUAL, SQUARE, atoms.view("type"), self.eta.view, self.b.data, self.product.data, self.r.data, self.d.data)

    def _guess(self, bit: int, *given: View) -> None:
        """given: what the kernel reads, with the histories."""
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, self.guessing, atoms.view("type"), atoms.view("mask"), bit, self.chi.view,
                     self._places(), *self.field, *given, self.x.data, self.b.data)

    def settle(self, bit: int, *histories: View) -> None:
        """Charges of zero sum; the solutions are remembered."""
        atoms, space = self.system.atoms, self.system.space
        self._sum(SUM, SUMS, self.x.data)
        parallel_for(space, atoms.n, SETTLE, atoms.view("mask"), bit, self.numbers, self.x.data, atoms.view("q", modify=True))
        parallel_for(space, atoms.n, self.remembering, atoms.view("mask"), bit, self.x.data, *histories)

    def residual(self, which: int) -> np.ndarray:
        """Of each atom of this rank."""
        found: np.ndarray = self.r.get()[: self.system.atoms.n, which]
        return found

"""Two methods of conjugate gradients side by side: the matrix is read once for both. See solver_loops.py for the kernels.

Sums stay in memory of the space. The host looks at them after each iteration, except where launches are collected for a graph
of a GPU: then there is a fixed number of iterations, of which those after convergence do nothing, and too few of them are a
trouble that lets the host compute the step again (run/graphs.py); later graphs have more. Each replay tells if they could do
with fewer.
"""

from __future__ import annotations

import numpy as np

from everlet.fixes.charges import solver_loops as loops
from everlet.fixes.charges.matrix import AHEAD, FILLING, Matrix
from everlet.fixes.charges.solver_loops import CURVATURE, ITERATIONS, NUMBERS, SIGMA, SQUARE, SUMS
from everlet.portable import Constants, Kernel, Space, View, parallel_for, parallel_reduce
from everlet.portable.kernels import lane_width
from everlet.portable.sums import ADD_UP
from everlet.state.system import System

GUESS, ADVANCE, DEMAND, BEGIN, SETTLE = map(Kernel, (loops.guess, loops.advance, loops.demand, loops.begin, loops.settle))
RESIDUAL, SUM = Kernel(loops.residual, sums=4), Kernel(loops.sum_solutions, sums=2)
FEW = [GUESS, RESIDUAL, ADVANCE, DEMAND, BEGIN, SETTLE, SUM, ADD_UP]
TOGETHER = 4  # products that a core has under way
SPARE = 4  # iterations of a graph more than were needed


def multiply(space: Space) -> Kernel:
    """On a CPU lanes are the two numbers of an atom, elsewhere they go along the row."""
    if space.target != "cpu":
        team, statics = FILLING if space.many_threads else 1, (("PAIRED", False), ("AHEAD", AHEAD))
        return Kernel(loops.multiply, sums=8, team=team, statics=statics)
    together = min(TOGETHER, lane_width("cpu", "double"))  # rows are filled up to whole steps of lanes
    return Kernel(loops.multiply, sums=8, statics=(("PAIRED", True), ("TOGETHER", together)), width=2)


class Solver:
    """chi, eta: numbers of each type."""

    def __init__(self, system: System, matrix: Matrix, tolerance: float, most: int):
        self.system, self.matrix, self.tolerance, self.most = system, matrix, tolerance, most
        space = system.space
        self.numbers = View(NUMBERS, np.float64, space)
        self.chi, self.eta = Constants(system.ntypes + 1, space), Constants(system.ntypes + 1, space)
        self.x = self.b = self.r = self.d = self.product = View(0, np.float64, space)
        self.planned = 0  # iterations of a graph
        self.field = (0, 0.0, 0.0, 0.0)  # an electric field: bit of the group that it acts on, V/Angstrom

    def kernels(self) -> list[Kernel]:
        return [*FEW, multiply(self.system.space)]

    # ---- sums and vectors
    def _sum(self, kernel: Kernel, at: int, *args: object) -> None:
        """Sums over all atoms, of all ranks, from numbers[at] on."""
        parallel_reduce(self.system.space, self.system.atoms.n, kernel, *args, into=self.numbers, at=at)
        if self.system.ranks.size > 1:
            span = slice(at, at + kernel.sums)
            here = self.system.space.to_host(self.numbers.data[span])
            self.numbers.data[span] = self.system.space.from_host(self.system.ranks.sum(here))

    def _forward(self, vector: View) -> None:
        if self.system.ranks.size > 1:
            self.system.evaluator.comm.forward_values(self.system, "guesses" if vector is self.x else "directions", vector)

    def _reserve(self) -> None:
        rows = self.system.atoms.capacity
        if self.x.shape[0] < rows:
            self.x, self.b, self.r, self.d, self.product = (View((rows, 2), np.float64, self.system.space) for _ in range(5))

    def _product(self, of: View, first: bool, now: int) -> None:
        matrix, kind = self.matrix, self.system.atoms.view("type")
        self._forward(of)
        self._sum(multiply(self.system.space), CURVATURE, kind, self.eta.view, matrix.depth, matrix.length,
                  matrix.column, matrix.value, int(first), now, self.tolerance, self.numbers, self.r.data, of.data,
                  self.product.data)

    # ---- solving
    def start(self, bit: int, s: View, t: View) -> None:
        """Guesses, residuals, first directions."""
        self._reserve()
        atoms, space = self.system.atoms, self.system.space
        kind = atoms.view("type")
        parallel_for(space, 1, BEGIN, self.numbers)
        parallel_for(space, atoms.n, GUESS, kind, atoms.view("mask"), bit, self.chi.view, atoms.view("x"), *self.field, s, t,
                     self.x.data, self.b.data)
        self._product(self.x, True, SIGMA)
        self._sum(RESIDUAL, SQUARE, kind, self.eta.view, self.b.data, self.product.data, self.r.data, self.d.data)

    def iterate(self, k: int) -> None:
        """Iteration number k, from 0 on."""
        atoms, space = self.system.atoms, self.system.space
        now, after = (SIGMA, SIGMA + 2) if k % 2 == 0 else (SIGMA + 2, SIGMA)
        self._product(self.d, False, now)
        parallel_for(space, max(atoms.n, 1), ADVANCE, atoms.n, atoms.view("type"), self.eta.view, now, after, self.tolerance,
                     self.numbers, self.product.data, self.x.data, self.r.data, self.d.data)

    def open(self, k: int) -> bool:
        """A system has not converged after k iterations."""
        numbers, now = self.numbers.get(), SIGMA + 2 * (k % 2)
        with np.errstate(invalid="ignore"):
            return bool((np.sqrt(numbers[now : now + 2]) > self.tolerance * np.sqrt(numbers[SQUARE : SQUARE + 2])).any())

    def solve(self, bit: int, s: View, t: View) -> np.ndarray:
        """Solve both; what is left of the residuals, of each as a part of |b|, is returned, but not of a collected sequence."""
        self.start(bit, s, t)
        space, k = self.system.space, 0
        if space.queue is not None:
            for k in range(self.planned):
                self.iterate(k)
            parallel_for(space, 1, DEMAND, SIGMA + 2 * (self.planned % 2), self.tolerance, space.place, self.numbers,
                         space.control)
            return np.zeros(2)
        while k + 1 < self.most and self.open(k):
            self.iterate(k)
            k += 1
        self.plan(k)
        numbers, now = self.numbers.get(), SIGMA + 2 * (k % 2)
        return np.sqrt(numbers[now : now + 2] / numbers[SQUARE : SQUARE + 2])

    def plan(self, needed: int) -> None:
        """Graphs have a few iterations more than were needed the last time. Those with too few, or far too many, are recorded
        again: a new array tells them."""
        enough = needed + needed // 8 + SPARE
        if needed > self.planned or self.planned > enough + 2 * SPARE:
            self.planned = enough
            self.numbers = _anew(self.numbers)

    def settle(self, bit: int, s: View, t: View) -> None:
        """Charges of zero sum; the solutions are remembered."""
        atoms, space = self.system.atoms, self.system.space
        self._sum(SUM, SUMS, self.x.data)
        parallel_for(space, atoms.n, SETTLE, atoms.view("mask"), bit, self.numbers, self.x.data, atoms.view("q", modify=True),
                     s, t)

    def iterations(self) -> np.ndarray:
        """Of s and t, of the last time."""
        return self.numbers.get()[ITERATIONS : ITERATIONS + 2]

    def bytes(self) -> int:
        return 5 * self.x.data.nbytes


def _anew(view: View) -> View:
    copy = View(view.shape, view.dtype, view.space)
    copy.data[:] = view.data
    return copy

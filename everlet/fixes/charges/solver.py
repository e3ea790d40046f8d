"""Two methods of conjugate gradients side by side: the matrix is read once for both. See solver_loops.py for the kernels.

Sums stay in memory of the space. The host looks at them after each iteration, except where launches are collected for a graph
of a GPU: then there is a fixed number of iterations, of which those after convergence do nothing, and too few of them are a
trouble that lets the host compute the step again (run/graphs.py); later graphs have more. Each replay tells if they could do
with fewer.
"""

from __future__ import annotations

import numpy as np

from everlet.comm.distinct import Distinct
from everlet.fixes.charges import solver_loops as loops
from everlet.fixes.charges.matrix import AHEAD, FILLING, Matrix
from everlet.fixes.charges.solver_loops import CURVATURE, ITERATIONS, NUMBERS, SIGMA, SQUARE, SUMS
from everlet.portable import Constants, Kernel, Space, View, parallel_for, parallel_reduce
from everlet.portable.batch import collected
from everlet.portable.graphs import Repeated
from everlet.portable.kernels import lane_width
from everlet.portable.sums import ADD_UP
from everlet.state.system import System

GUESS, DEMAND, BEGIN, SETTLE = map(Kernel, (loops.guess, loops.demand, loops.begin, loops.settle))
RESIDUAL, SUM = Kernel(loops.residual, sums=4), Kernel(loops.sum_solutions, sums=2)
FEW = [GUESS, RESIDUAL, DEMAND, BEGIN, SETTLE, SUM, ADD_UP]
TURNS = (SIGMA, SIGMA + 2), (SIGMA + 2, SIGMA)  # r D^-1 r before and after iterations of even, of odd number
TOGETHER = 4  # products that a core has under way
CHUNK = 128
SPARE, STEP = 2, 4  # iterations of a graph more than were needed


def multiply(space: Space) -> Kernel:
    """On a CPU lanes are the two numbers of an atom, elsewhere they go along the row."""
    if space.target != "cpu":
        team, statics = FILLING if space.many_threads else 1, (("PAIRED", False), ("AHEAD", AHEAD))
        return Kernel(loops.multiply, sums=8, team=team, statics=statics)
    together = min(TOGETHER, lane_width("cpu", "double"))  # rows are filled up to whole steps of lanes
    return Kernel(loops.multiply, sums=8, statics=(("PAIRED", True), ("TOGETHER", together)), width=2)


def chunk(space: Space) -> int:
    """Atoms of an item of `advance`: what they have in common is computed once."""
    return 1 if space.many_threads else CHUNK


def advance(space: Space) -> Kernel:
    return Kernel(loops.advance, statics=(("CHUNK", chunk(space)),))


class Solver:
    """chi, eta: numbers of each type."""

    def __init__(self, system: System, matrix: Matrix, tolerance: float, most: int):
        self.system, self.matrix, self.tolerance, self.most = system, matrix, tolerance, most
        space = system.space
        self.numbers = View(NUMBERS, np.float64, space)
        self.chi, self.eta = Constants(system.ntypes + 1, space), Constants(system.ntypes + 1, space)
        self.x = self.b = self.r = self.d = self.product = View(0, np.float64, space)
        self.others = Distinct(system)
        self.planned = 0  # iterations of a graph
        self.field = (0, 0.0, 0.0, 0.0)  # an electric field: bit of the group that it acts on, V/Angstrom

    def kernels(self) -> list[Kernel]:
        return [*FEW, advance(self.system.space), multiply(self.system.space)]

    # ---- sums and vectors
    def _sum(self, kernel: Kernel, at: int, *args: object) -> None:
        """Sums over all atoms, of all ranks, from numbers[at] on."""
        parallel_reduce(self.system.space, self.system.atoms.n, kernel, *args, into=self.numbers, at=at)
        self._over_ranks(at, kernel.sums)

    def _over_ranks(self, at: int, sums: int) -> None:
        if self.system.ranks.size > 1:
            here = self.system.space.to_host(self.numbers.data[at : at + sums])
            self.numbers.data[at : at + sums] = self.system.space.from_host(self.system.ranks.sum(here))

    def _forward(self, vector: View) -> None:
        if self.system.ranks.size > 1:
            self.others.forward("guesses" if vector is self.x else "directions", vector)

    def _reserve(self) -> None:
        rows = self.system.atoms.capacity
        if self.x.shape[0] < rows:
            self.x, self.b, self.r, self.d, self.product = (View((rows, 2), np.float64, self.system.space) for _ in range(5))

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

    # ---- solving
    def start(self, bit: int, s: View, t: View) -> None:
        """Guesses, residuals, first directions."""
        self._reserve()
        atoms, space = self.system.atoms, self.system.space
        kind = atoms.view("type")
        parallel_for(space, 1, BEGIN, self.numbers)
        parallel_for(space, atoms.n, GUESS, kind, atoms.view("mask"), bit, self.chi.view, atoms.view("x"), *self.field, s, t,
                     self.x.data, self.b.data)
        self._forward(self.x)
        self._multiply(self.x, True, SIGMA)
        self._sum(RESIDUAL, SQUARE, kind, self.eta.view, self.b.data, self.product.data, self.r.data, self.d.data)

    def _halves(self) -> list[tuple[Repeated, Repeated]]:
        """Of iterations of even and of odd number: what comes before and after sums over ranks."""
        found, space = [], self.system.space
        for now, after in TURNS:
            with collected(space) as before:
                self._multiply(self.d, False, now)
            with collected(space) as behind:
                self._advance(now, after)
            found.append((Repeated(space, before), Repeated(space, behind)))
        return found

    def open(self, k: int) -> bool:
        """A system has not converged after k iterations."""
        numbers, (now, _) = self.system.space.to_host(self.numbers.data).tolist(), TURNS[k % 2]
        limit = self.tolerance**2
        return any(numbers[now + which] > limit * numbers[SQUARE + which] for which in range(2))

    def solve(self, bit: int, s: View, t: View) -> np.ndarray:
        """Solve both; what is left of the residuals, of each as a part of |b|, is returned, but not of a collected sequence."""
        self.start(bit, s, t)
        space, k = self.system.space, 0
        if space.queue is not None:
            for k in range(self.planned):
                self._multiply(self.d, False, TURNS[k % 2][0])
                self._advance(*TURNS[k % 2])
            parallel_for(space, 1, DEMAND, TURNS[self.planned % 2][0], self.tolerance, space.place, self.numbers,
                         space.control)
            return np.zeros(2)
        halves = self._halves()
        while k + 1 < self.most and self.open(k):
            before, behind = halves[k % 2]
            self._forward(self.d)
            before.run()
            self._over_ranks(CURVATURE, 8)
            behind.run()
            k += 1
        self.plan(k)
        numbers, (now, _) = self.numbers.get(), TURNS[k % 2]
        return np.sqrt(numbers[now : now + 2] / numbers[SQUARE : SQUARE + 2])

    def plan(self, needed: int) -> None:
        """Graphs have a few iterations more than were needed the last time, in whole steps: those of other steps are kept."""
        enough = -(-(needed + needed // 8 + SPARE) // STEP) * STEP
        if needed > self.planned or self.planned > enough + STEP:
            self.planned = enough

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

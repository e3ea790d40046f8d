"""What solvers of charges have in common: vectors of two numbers per atom, sums, iterations up to a tolerance.

Sums stay in memory of the space. The host looks at them after each iteration, except where launches are collected for a graph
of a GPU: then there is a fixed number of iterations, of which those after convergence do nothing, and too few of them are a
trouble that lets the host compute the step again (run/graphs.py); later graphs have more. Each replay tells if they could do
with fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from everlet.comm.distinct import Distinct
from everlet.fixes.charges import solver_loops as loops
from everlet.fixes.charges.matrix import Matrix
from everlet.fixes.charges.solver_loops import SQUARE
from everlet.portable import Constants, Kernel, View, parallel_for, parallel_reduce
from everlet.portable.batch import collected
from everlet.portable.graphs import Repeated
from everlet.state.system import System

SPARE, STEP = 3, 4  # iterations of a graph more than were needed
FADING = 0.75  # of what was needed, with each graph


def demand(systems: int) -> Kernel:
    return Kernel(loops.demand, statics=(("SYSTEMS", systems),))


class Stage(NamedTuple):
    """A part of an iteration: the vector whose rows others need first, launches, and sums that ranks add up after it."""

    vector: View | None
    launch: Callable[[], None]
    at: int = 0
    sums: int = 0


class Iterations:
    """chi, eta: numbers of each type. systems: linear systems that are solved together; turns: where their squared residuals
    are before and after iterations of even, of odd number; counted: where the numbers of iterations are."""

    systems, numbers_used, counted = 1, 0, 0
    turns: tuple[tuple[int, int], tuple[int, int]] = (0, 0), (0, 0)

    def __init__(self, system: System, matrix: Matrix, tolerance: float, most: int):
        self.system, self.matrix, self.tolerance, self.most = system, matrix, tolerance, most
        space = system.space
        self.numbers = View(self.numbers_used, np.float64, space)
        self.chi, self.eta = Constants(system.ntypes + 1, space), Constants(system.ntypes + 1, space)
        self.x = self.b = self.r = self.d = self.product = View(0, np.float64, space)
        self.others = Distinct(system)
        self.planned, self.lately = 0, 0.0  # iterations of a graph, and what was needed
        self.field = (0, 0.0, 0.0, 0.0)  # an electric field: bit of the group that it acts on, V/Angstrom
        self.volts: View | None = None  # in place of positions (n, 4) what a variable field says, in the first column

    def _places(self) -> View:
        """What the field is multiplied with."""
        return self.system.atoms.view("x") if self.volts is None else self.volts

    # ---- what a solver is
    def kernels(self) -> list[Kernel]:
        raise NotImplementedError

    def matrices(self) -> list[Matrix]:
        return [self.matrix]

    def start(self, bit: int, *histories: View) -> None:
        """Guesses from earlier solutions, residuals, first directions."""
        raise NotImplementedError

    def stages(self, now: int, after: int) -> list[Stage]:
        """Of an iteration, with the places of squared residuals before and after it."""
        raise NotImplementedError

    def settle(self, bit: int, *histories: View) -> None:
        """Charges follow from solutions, which are remembered."""
        raise NotImplementedError

    def residual(self, which: int) -> np.ndarray:
        """Of each atom of this rank."""
        raise NotImplementedError

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

    # ---- solving
    def open(self, k: int) -> bool:
        """A system has not converged after k iterations."""
        numbers, (now, _) = self.system.space.to_host(self.numbers.data).tolist(), self.turns[k % 2]
        limit = self.tolerance**2
        return any(numbers[now + which] > limit * numbers[SQUARE + which] for which in range(self.systems))

    def solve(self, bit: int, *histories: View) -> np.ndarray:
        """What is left of the residual of each system, as a part of |b|, is returned, but not of a collected sequence."""
        self.start(bit, *histories)
        space, k = self.system.space, 0
        if space.queue is not None:
            for k in range(self.planned):
                for stage in self.stages(*self.turns[k % 2]):
                    stage.launch()
            parallel_for(space, 1, demand(self.systems), self.turns[self.planned % 2][0], self.tolerance, space.place,
                         self.numbers, space.control)
            return np.zeros(self.systems)
        iterations = [[(stage, self._ready(stage)) for stage in self.stages(*turn)] for turn in self.turns]
        while k + 1 < self.most and self.open(k):
            for stage, launches in iterations[k % 2]:
                if stage.vector is not None:
                    self._forward(stage.vector)
                launches.run()
                if stage.sums:
                    self._over_ranks(stage.at, stage.sums)
            k += 1
        self.plan(k)
        numbers, (now, _) = self.numbers.get(), self.turns[k % 2]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.sqrt(numbers[now : now + self.systems] / numbers[SQUARE : SQUARE + self.systems])

    def _ready(self, stage: Stage) -> Repeated:
        with collected(self.system.space) as launches:
            stage.launch()
        return Repeated(self.system.space, launches)

    def plan(self, needed: int) -> None:
        """Graphs have more iterations than were needed lately, in whole steps: those of other numbers are kept."""
        self.lately = max(float(needed), FADING * self.lately)
        self.planned = int(self.lately + SPARE + STEP) // STEP * STEP

    def iterations(self) -> np.ndarray:
        """Of each system, of the last time."""
        return self.numbers.get()[self.counted : self.counted + self.systems]

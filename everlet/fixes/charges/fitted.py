"""The solver with guesses that are fitted to earlier solutions: as exact, with fewer iterations if charges change slowly."""

from __future__ import annotations

from everlet.fixes.charges import guess_loops as loops
from everlet.fixes.charges.solver import Solver
from everlet.portable import Kernel, View, parallel_for

CORRELATE, FIT = Kernel(loops.correlate, sums=28), Kernel(loops.fit)
GUESS, REMEMBER = Kernel(loops.guess_fitted), Kernel(loops.remember_six)
KERNELS = [CORRELATE, FIT, GUESS, REMEMBER]


class FittedSolver(Solver):
    numbers_used = loops.FITTED_NUMBERS
    remembering = REMEMBER

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), *KERNELS]

    def _guess(self, bit: int, *histories: View) -> None:
        atoms, space = self.system.atoms, self.system.space
        self._sum(CORRELATE, loops.FIT, *histories)
        parallel_for(space, 2, FIT, self.numbers)
        parallel_for(space, atoms.n, GUESS, atoms.view("type"), atoms.view("mask"), bit, self.chi.view, self._places(),
                     *self.field, self.numbers, *histories, self.x.data, self.b.data)

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
    guessing, remembering = GUESS, REMEMBER

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), CORRELATE, FIT]

    def _guess(self, bit: int, *histories: View) -> None:
        self._sum(CORRELATE, loops.FIT, *histories)
        parallel_for(self.system.space, 2, FIT, self.numbers)
        super()._guess(bit, self.numbers, *histories)

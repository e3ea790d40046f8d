"""The correction for slabs: a cell that is periodic in x and y alone, with empty space above it.

    E = 2 pi C (M^2 - Q sum q z^2 - Q^2 L^2/12) / V        M = sum q z, Q = sum q, L and V of the higher cell
    F_z = -4 pi C q (M - Q z) / V
"""

from __future__ import annotations

import math

import numpy as np

from everlet.forces.kspace import slab_loops as loops
from everlet.forces.kspace.base import SMALL, KspaceStyle
from everlet.portable import Kernel, View, parallel_for, parallel_reduce

SUM, PUSH, OWN = Kernel(loops.moments, 2), Kernel(loops.push), Kernel(loops.of_atoms)


class Slab:
    """Of one solver; `x`, `f`: where charges are, and the forces on them."""

    def __init__(self, solver: KspaceStyle):
        self.solver, self.system = solver, solver.system

    def _moments(self, x: View) -> tuple[float, float, float]:
        """Sums of q z and q z^2 over all atoms, and 2 pi C / V."""
        atoms, solver = self.system.atoms, self.solver
        mine = parallel_reduce(self.system.space, atoms.n, SUM, x, atoms.charges())
        one, two = self.system.ranks.sum(mine)
        return float(one), float(two), 2.0 * math.pi * solver.constant / float(np.prod(solver.lengths))

    def compute(self, x: View, f: View) -> float:
        """Add to the forces; the energy."""
        atoms, solver = self.system.atoms, self.solver
        one, two, factor = self._moments(x)
        parallel_for(self.system.space, atoms.n, PUSH, x, atoms.charges(), -2.0 * factor, one, solver.qsum, f)
        two = two if abs(solver.qsum) > SMALL else 0.0  # what is left of charges in files of few digits is no charge
        return factor * (one * one - solver.qsum * two - (solver.qsum * float(solver.lengths[2])) ** 2 / 12.0)

    def peratom(self, x: View, energy: View) -> None:
        atoms, solver = self.system.atoms, self.solver
        one, two, factor = self._moments(x)
        parallel_for(self.system.space, atoms.n, OWN, x, atoms.charges(), factor, one, two, solver.qsum,
                     float(solver.lengths[2]) ** 2 / 12.0, energy)

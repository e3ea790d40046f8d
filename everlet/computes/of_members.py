"""Energies, virials and kinetic tensors of each of the systems of a batch, in memory of the space or on the host.

Terms whose tallies are loops over atoms have them in the sums of the step (state/ledger.py); those of others are added up from
their shares of atoms (Term.peratom), which are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everlet.computes.temperatures.temp import KINETIC, kinetic_arguments
from everlet.forces.terms import Term
from everlet.neighbor.surroundings import surroundings
from everlet.portable import Kernel, View, f64, portable
from everlet.state.ledger import SECOND
from everlet.state.system import System


@portable
def shares(i, energy: f64[:], virial: f64[:, 6]):
    return energy[i], virial[i, 0], virial[i, 1], virial[i, 2], virial[i, 3], virial[i, 4], virial[i, 5]


SHARES = Kernel(shares, sums=7)


class OfMembers:
    """Of the systems of a batch; arrays are used again."""

    def __init__(self, system: System):
        assert system.members is not None
        self.system, self.members = system, system.members
        space, count = system.space, self.members.count
        self.kinetic_sums, self.share_sums = View(7 * count, np.float64, space), View(7 * count, np.float64, space)
        self._energy, self._virial = View(0, np.float64, system.space), View((0, 6), np.float64, system.space)

    def kernels(self) -> list[Kernel]:
        return [KINETIC]

    def sum_kinetic(self) -> View:
        """m v v of each system, xx yy zz xy xz yz, and its atoms, in `kinetic_sums`."""
        _, _, kernel, *given = kinetic_arguments(self.system, 1)
        self.members.rows.reduce(kernel, *given, into=self.kinetic_sums)
        return self.kinetic_sums

    def kinetic(self) -> np.ndarray:
        """(systems, 6), in energy units."""
        sums = self.system.space.to_host(self.sum_kinetic().data)
        return np.array(sums).reshape(-1, 7)[:, :6] * self.system.units.mvv2e

    def potential(self) -> tuple[np.ndarray, np.ndarray]:
        """Energies (systems,) and virials (systems, 6) of forces that were computed with a tally at this step."""
        evaluator, count = self.system.evaluator, self.members.count
        energies, virials = np.zeros(count), np.zeros((count, 6))
        for tally, rows in zip(evaluator.sums.tallies, evaluator.sums.each(), strict=True):
            if not tally.fix:
                energies += tally.factor * rows[:, [0, SECOND][: len(tally.energies)]].sum(axis=1)
            virials += rows[:, 1:SECOND]
        others = [term for term in evaluator.terms if not term.by_atom]
        if others:
            sums = self._shares(others)
            energies += sums[:, 0]
            virials += sums[:, 1:]
        return energies, virials

    def _shares(self, terms: Sequence[Term]) -> np.ndarray:
        near = surroundings(self.system, self.system.evaluator.neighbor.cutoff)
        space = self.system.space
        if self._energy.shape[0] < near.n:
            self._energy, self._virial = View(near.n, np.float64, space), View((near.n, 6), np.float64, space)
        self._energy.data[:] = 0.0
        self._virial.data[:] = 0.0
        for term in terms:
            term.peratom(near, self._energy, self._virial)
        self.members.rows.reduce(SHARES, self._energy, self._virial, into=self.share_sums)
        return np.array(space.to_host(self.share_sums.data)).reshape(-1, 7)

    def each_energy(self) -> np.ndarray:
        """Energy of each atom, (n,), of the present positions."""
        self._shares(self.system.evaluator.terms)
        return np.array(self._energy.get()[: self.system.atoms.n])

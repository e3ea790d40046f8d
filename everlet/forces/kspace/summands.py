"""What solvers sum up: charges, or shares of dispersion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.forces.kspace import ewald_loops as loops
from everlet.portable import Constants, Kernel, View, parallel_for

OF_TYPES = Kernel(loops.of_types)
SPECTRA = (loops.of_charges, loops.of_dispersion)


class Summand:
    """One sum over the atoms, of charges: what each atom has of it, and how vectors count. `solver` has g, system, and of
    charges constant, qsum and qsqsum."""

    spectrum = loops.of_charges
    disperses = False

    def __init__(self, solver: Any):
        self.solver, self.system = solver, solver.system

    @property
    def constant(self) -> float:
        """What energies are multiplied by."""
        return float(self.solver.constant)

    def values(self) -> View:
        """A number of each atom of this rank."""
        return self.system.atoms.view("q")

    def largest(self) -> float:
        """The largest magnitude of these on this rank."""
        return float(np.abs(self.system.atoms.read("q")).max(initial=0.0))

    def alone(self) -> tuple[float, float, float]:
        """Energy of an atom with itself, and volume times that with the mean of all atoms, both with a minus and for the
        number 1; the part of the latter that the virial has."""
        solver = self.solver
        return (solver.constant * solver.g / math.sqrt(math.pi), solver.constant * math.pi * solver.qsum / (2.0 * solver.g**2),
                0.0)

    def totals(self) -> tuple[float, float]:
        """Sums over all atoms of the numbers and of their squares."""
        return self.solver.qsum, self.solver.qsqsum

    def constants(self) -> tuple[float, float, float]:
        """Of all atoms: energies of themselves, and volume times those with the mean, and a diagonal element of the virial."""
        (own, mean, spread), (total, squares) = self.alone(), self.totals()
        return -own * squares, -mean * total, -spread * mean * total

    def own(self, volume: float) -> np.ndarray:
        """The same in a volume."""
        own, mean, spread = self.constants()
        return np.array([own, mean / volume, spread / volume])

    def of_each(self, volume: float) -> tuple[float, View, float, float]:
        """The same for the kernel of energies of atoms."""
        own, mean, spread = self.alone()
        return own, self.values(), mean / volume, spread


class Charges(Summand):
    """With the virial of the background of a net charge (which has the wrong sign in the reference)."""

    def alone(self) -> tuple[float, float, float]:
        return (*super().alone()[:2], 1.0)


class Share(Summand):
    """Of dispersion: `factor` c_i c_j of each two atoms; c: of each type, kinds: atoms of each type."""

    spectrum = loops.of_dispersion
    disperses = True

    def __init__(self, solver: Any, factor: float, c: np.ndarray, kinds: np.ndarray):
        super().__init__(solver)
        self.factor, self.kinds = factor, kinds
        self.c, self.of_types = c, Constants(len(c), self.system.space)
        self.of_types.set(c.tolist())
        self.view = View(0, np.float64, self.system.space)

    @property
    def constant(self) -> float:
        return -self.factor

    def values(self) -> View:
        atoms, space = self.system.atoms, self.system.space
        if self.view.shape[0] < atoms.capacity:
            self.view = View(atoms.capacity, np.float64, space)
        parallel_for(space, atoms.n, OF_TYPES, atoms.view("type"), self.of_types.view, self.view)
        return self.view

    def largest(self) -> float:
        return float(np.abs(self.c).max())

    def alone(self) -> tuple[float, float, float]:
        g = self.solver.g
        return -self.factor * g**6 / 12.0, self.factor * math.pi**1.5 * g**3 / 6.0 * self.totals()[0], 1.0

    def totals(self) -> tuple[float, float]:
        return float(self.kinds @ self.c), float(self.kinds @ self.c**2)


def fewer(shares: list[tuple[float, np.ndarray]]) -> list[tuple[float, np.ndarray]]:
    """The same sum of products c_i c_j, of as few as there are types."""
    n = len(shares[0][1]) - 1 if shares else 0
    if len(shares) <= n or not shares:
        return shares
    values, vectors = np.linalg.eigh(sum(factor * np.outer(c[1:], c[1:]) for factor, c in shares))
    return [(float(value), np.concatenate([[0.0], vector])) for value, vector in zip(values, vectors.T, strict=True)
            if abs(value) > 1e-14 * np.abs(values).max()]

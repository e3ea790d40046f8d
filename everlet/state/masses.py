"""Masses of atoms: of their types, or of each atom where the atom style gives them a field `rmass`.

Kernels read mass[kind[i]]: kinds are types, or rows of atoms. What they make of masses, such as dt/2 / m, is a table of the
same kinds (`ByMass`). The host asks System.masses_of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.portable import Constants, Kernel, View, f64, i32, local, parallel_for, portable, rsqrt, sqrt

OWN = "rmass"  # the field of atoms that have masses of their own


@portable
def inverse(m):
    return 1.0 / m


@portable
def plain(m):
    return m


@portable
def root(m):
    return sqrt(m)


@portable
def inverse_root(m):
    return rsqrt(m)


POWERS = {-1.0: inverse, 1.0: plain, 0.5: root, -0.5: inverse_root}


@local
@portable
def of_mass(i, kind: i32[:], mass: f64[:], factor: f64[:], out: f64[:]):
    """factor m^p of one atom."""
    out[i] = factor[kind[i]] * POWER(mass[i])  # noqa: F821


class Rows:
    """The numbers 0, 1, 2, … as kinds of atoms that have masses of their own."""

    def __init__(self, space: Any):
        self.view = View(0, np.int32, space)

    def of(self, atoms: Any) -> View:
        count = atoms.fields[OWN].view.shape[0]
        if self.view.shape[0] < count:
            self.view = View(count, np.int32, self.view.space)
            self.view.put(np.arange(count))
        return self.view


class ByMass:
    """Numbers factor m^p for kernels, which read them by the kinds of `System.mass_kind`; factors may differ by type."""

    def __init__(self, system: Any, power: float):
        self.system, self.power = system, power
        self.kernel = Kernel(of_mass, statics=(("POWER", POWERS[power]),))
        self.factors, self.numbers = Constants(1, system.space), Constants(1, system.space)
        self.given: list[float] = []
        self.rows = View(0, np.float64, system.space)

    def view(self, factor: Any) -> View:
        system, atoms = self.system, self.system.atoms
        by_atom = OWN in atoms.fields
        given = [*np.atleast_1d(factor).tolist(), *(() if by_atom else system.masses.tolist())]
        if given != self.given:
            factors = np.broadcast_to(np.asarray(factor, float), len(system.masses))
            if len(factors) != len(self.factors.now):
                self.factors, self.numbers = (Constants(len(factors), system.space) for _ in range(2))
            self.factors.set(factors)
            masses = np.where(system.masses > 0.0, system.masses, 1.0)
            self.numbers.set(factors / masses if self.power == -1.0 else factors * masses**self.power)
            self.given = given
        if not by_atom:
            return self.numbers.view
        count = atoms.fields[OWN].view.shape[0]
        if self.rows.shape[0] < count:
            self.rows = View(count, np.float64, system.space)
        parallel_for(system.space, atoms.n, self.kernel, atoms.view("type"), atoms.view(OWN), self.factors.view, self.rows)
        return self.rows

"""The Ewald sum of charges and of dispersion -C_ij/r^6, with one splitting parameter for both.

    E = E of charges - sum_k w(k) |S_c(k)|^2 + g^6/12 sum c^2
    w = pi^1.5 g^3/(6 V) [(1 - 2 b^2) exp(-b^2) + 2 sqrt(pi) b^3 erfc(b)], b = k/2g

over all vectors k, k = 0 too; S_c = sum c e^{ik.r} for C_ij = c_i c_j, and a sum of such parts where C_ij is one.

    kspace_style ewald/disp ACCURACY                    with pair_style lj/long/coul/long or buck/long/coul/long
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from everlet.errors import InputError
from everlet.forces.kspace import ewald_loops as loops
from everlet.forces.kspace.base import kspace_style
from everlet.forces.kspace.ewald import MORE, VECTORS, Ewald, axis_error
from everlet.forces.kspace.ewald_term import Part
from everlet.forces.kspace.settings import Triple
from everlet.portable import Constants, Kernel, View, parallel_for

STEPS, STEP, CLOSE = 10000, 1e-6, 1e-5  # of the search for g: how many at most, difference for slopes, when it ends
OF_TYPES = Kernel(loops.of_types)


@kspace_style("ewald/disp")
class EwaldDisp(Ewald):
    """After `init` also: shares, what the pair style's dispersion is made of, kinds, the atoms of each type, and c2, the sum of
    C_ii over all atoms, for estimates."""

    title = "EwaldDisp"
    disperses = True

    def _need_pair(self) -> None:
        system, pair = self.system, self.system.pair
        self.shares = pair.dispersion() if pair is not None else []
        if not self.shares:
            super()._need_pair()
        assert pair is not None
        self.charges = bool(pair.cut_coul)
        self.cut = float(pair.cut_coul or pair.setting["cut"])
        self.kinds = system.ranks.sum(np.bincount(system.atoms.read("type"), minlength=system.ntypes + 1)).astype(float)
        self.c2 = sum(factor * float(self.kinds @ c**2) for factor, c in self.shares)
        if len(self.shares) > 1:
            self.c2 *= 0.25  # estimates of the reference have so much less where types are mixed arithmetically
        if self.settings.gewald_disp not in (0.0, self.settings.gewald):
            raise InputError(f"kspace_style {self.name} has one splitting parameter for charges and dispersion",
                             "use kspace_modify gewald alone")

    def first_g(self, volume: float) -> float:
        if self.charges:
            return super().first_g(volume)

        def error(g: float) -> float:
            """Of dispersion, of what is left out beyond the cutoff."""
            a = g * self.cut
            return (4.0 * math.pi * self.c2 * g**4 / volume / math.sqrt(self.natoms) * math.erfc(a)
                    * (6.0 * a**-5 + 6.0 * a**-3 + 3.0 / a + a) - self.accuracy)

        return root(error, (1.35 - 0.15 * math.log(self.accuracy)) / self.cut)

    def vectors(self) -> Triple:
        x, y, z = (self._along(float(edge)) for edge in self.lengths)
        self.k2max = MORE * max(float(2.0 * math.pi * n / edge) ** 2 for n, edge in zip((x, y, z), self.lengths, strict=True))
        most = max(x, y, z)
        self.kmax = self.reach = most, most, most
        return x, y, z

    def _along(self, edge: float) -> int:
        """Vectors along an axis that keep the error below what is asked for."""
        n = 1
        while self.axis_error(n, edge) > self.accuracy:
            n += 1
        return n

    def axis_error(self, n: int, edge: float) -> float:
        b = math.pi * n / (self.g * edge)
        of_charges = axis_error(n, edge, self.g, self.q2, self.natoms) if self.charges else 0.0
        return of_charges + 4.0 / 3.0 * self.c2 * self.g**7 * math.exp(-b * b) * (b + 1.0) / math.sqrt(math.pi * self.natoms)

    def choose(self) -> list[str]:
        upright = self.vectors()
        for name in VECTORS:
            setattr(self, name, self.kept.get(name, getattr(self, name)))
        errors = [self.axis_error(n, float(edge)) for n, edge in zip(upright, self.lengths, strict=True)]
        self.estimated = max(errors)
        return [f"  G vector = {self.g:.8g},   accuracy = {self.accuracy:.8g}"]

    def parts(self) -> list[Part]:
        return [Charges(self)] * self.charges + [Share(self, factor, c) for factor, c in self.shares]


def root(error: Callable[[float], float], first: float) -> float:
    """Where a function that falls passes through zero, by steps of Newton as the reference makes them, or `first`."""
    g = first
    for _ in range(STEPS):
        now = error(g)
        slope = (error(g + STEP) - now) / STEP
        if slope == 0.0:
            return first
        g -= now / slope
        if abs(now / slope) < CLOSE:
            return g
        if not 0.0 <= g < math.inf:
            return first
    return first


class Charges(Part):
    """With the virial of the background of a net charge (which has the wrong sign in the reference)."""

    def alone(self) -> tuple[float, float, float]:
        return (*super().alone()[:2], 1.0)


class Share(Part):
    """Of dispersion: `factor` c_i c_j of each two atoms."""

    spectrum = loops.of_dispersion

    def __init__(self, solver: EwaldDisp, factor: float, c: np.ndarray):
        super().__init__(solver)
        self.factor, self.kinds = factor, solver.kinds
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

    def alone(self) -> tuple[float, float, float]:
        g, volume = self.solver.g, float(np.prod(self.solver.lengths))
        return (-self.factor * g**6 / 12.0, self.factor * math.pi**1.5 * g**3 / (6.0 * volume) * self.totals()[0], 1.0)

    def totals(self) -> tuple[float, float]:
        return float(self.kinds @ self.c), float(self.kinds @ self.c**2)

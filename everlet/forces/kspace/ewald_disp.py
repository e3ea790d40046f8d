"""The Ewald sum of charges and of dispersion -C_ij/r^6, with one splitting parameter for both.

    E = E of charges - sum_k w(k) |S_c(k)|^2 + g^6/12 sum c^2
    w = pi^1.5 g^3/(6 V) [(1 - 2 b^2) exp(-b^2) + 2 sqrt(pi) b^3 erfc(b)], b = k/2g

over all vectors k, k = 0 too; S_c = sum c e^{ik.r} for C_ij = c_i c_j, and a sum of such parts where C_ij is one.

    kspace_style ewald/disp ACCURACY                    with pair_style lj/long/coul/long or buck/long/coul/long
"""

from __future__ import annotations

import math
from collections.abc import Callable

from everlet.errors import InputError
from everlet.forces.kspace.base import kspace_style
from everlet.forces.kspace.dispersion import WithDispersion
from everlet.forces.kspace.ewald import MORE, VECTORS, Ewald, axis_error
from everlet.forces.kspace.settings import Triple
from everlet.forces.kspace.summands import Charges, Share, Summand, fewer

STEPS, STEP, CLOSE = 10000, 1e-6, 1e-5  # of the search for g: how many at most, difference for slopes, when it ends


@kspace_style("ewald/disp")
class EwaldDisp(WithDispersion, Ewald):
    """After `init` also c2, the sum of C_ii over all atoms, for estimates."""

    title = "EwaldDisp"
    def _need_pair(self) -> None:
        super()._need_pair()
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

    def parts(self) -> list[Summand]:
        return [Charges(self)] * self.charges + [Share(self, factor, c, self.kinds) for factor, c in fewer(self.shares)]


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

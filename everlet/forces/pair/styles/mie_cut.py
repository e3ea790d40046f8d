"""Powers of 1/r that need not be whole numbers: Mie and n-m potentials."""

from __future__ import annotations

from math import log as host_log

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length, power
from everlet.portable import exp, log, portable


class TwoPowers(PairStyle):
    """E = c (s/r)^n - d (s/r)^m."""

    def numbers_of(self, s: float, n: float, m: float, c: float, d: float) -> Values:
        if s <= 0.0:
            raise InputError(f"pair style {self.name} needs a length above zero, found {s:g}", "change it in pair_coeff")
        return {"log": host_log(s), "n": n, "m": m, "c": c, "d": d}

    @portable
    def pair(r2, p):
        way = p.log - 0.5 * log(r2)
        x, y = p.c * exp(p.n * way), p.d * exp(p.m * way)
        return (p.n * x - p.m * y) / r2, x - y

    def integrals(self, cut: float, s: float, n: float, m: float, c: float, d: float) -> tuple[float, float]:
        """Integrals of E r^2 and of -dE/dr r^3."""
        x, y = c * (s / cut) ** n * cut**3 / (n - 3.0), d * (s / cut) ** m * cut**3 / (m - 3.0)
        return x - y, n * x - m * y


@pair_style("mie/cut")
class MieCut(TwoPowers):
    """E = C eps [(sigma/r)^n - (sigma/r)^m] with C = n/(n - m) (n/m)^(m/(n - m)), for r < r_c.

    pair_style mie/cut r_c                    r_c: length
    pair_coeff I J eps sigma n m [r_c]        eps: energy, sigma: length, n, m: powers
    """

    coeffs = {"epsilon": energy, "sigma": length, "gamR": power, "gamA": power}
    mixing = {"gamR": "length", "gamA": "length"}
    example = {"gamR": 12.0, "gamA": 6.0}

    @staticmethod
    def prefactor(n: float, m: float) -> float:
        if not n > m > 0.0:
            raise InputError(f"powers of repulsion and attraction {n:g} and {m:g}", "give two above 0, the larger one first")
        return n / (n - m) * (n / m) ** (m / (n - m))

    def table(self, epsilon: float, sigma: float, gamR: float, gamA: float) -> Values:
        c = epsilon * self.prefactor(gamR, gamA)
        return self.numbers_of(sigma, gamR, gamA, c, c)

    def tail(self, cut: float, epsilon: float, sigma: float, gamR: float, gamA: float) -> tuple[float, float]:
        c = epsilon * self.prefactor(gamR, gamA)
        return self.integrals(cut, sigma, gamR, gamA, c, c)

"""Lennard-Jones 12-6 that is a cubic polynomial from its inflection on, so that it ends with zero energy and force."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import numbers
from everlet.portable import portable, sqrt, where

LOWEST, INFLECTION = 2.0 ** (1 / 6), (26.0 / 7.0) ** (1 / 6)  # in units of sigma
PHI = -133.0 / 169.0  # E / eps at the inflection
SLOPE = 12.0 * ((7.0 / 13.0) ** (7 / 6) - (7.0 / 13.0) ** (13 / 6))  # and its derivative in units of LOWEST
A3 = 8.0 * SLOPE**3 / (9.0 * PHI**2)
END = INFLECTION - 1.5 * PHI / SLOPE * LOWEST


@pair_style("lj/cubic")
class LJCubic(PairStyle):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] up to its inflection r_s = (26/7)^(1/6) sigma, from there

    E = E(r_s) + (r - r_s) E'(r_s) - A (r - r_s)^3/6 up to 1.737 sigma, where energy and force are zero.

    pair_style lj/cubic
    pair_coeff I J eps sigma                    eps: energy, sigma: length
    """

    coeffs = {"epsilon": energy, "sigma": length}
    settings = {}
    shiftable = False
    cut_words = ()

    def pair_cutoffs(self, given: list[float]) -> Values:
        return {}

    def reach(self, values: Values) -> float:
        return END * values["sigma"]

    def table(self, epsilon: float, sigma: float) -> Values:
        unit = 1.0 / (LOWEST * sigma)
        return {**numbers(epsilon, sigma), "knot": INFLECTION * sigma, "e0": PHI * epsilon,
                "e1": SLOPE * epsilon * unit, "e3": 0.5 * A3 * epsilon * unit**3}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        t = r - p.knot
        near = t < 0.0
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        force = where(near, ir6 * (p.a * ir6 - p.b) * ir2, (p.e3 * t * t - p.e1) / r)
        return force, where(near, ir6 * (p.c * ir6 - p.d), p.e0 + t * (p.e1 - p.e3 * t * t / 3.0))

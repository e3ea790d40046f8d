"""Lennard-Jones 12-6 whose force is taken to zero by a polynomial between two distances."""

from __future__ import annotations

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.inner import WithInner
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import numbers
from everlet.portable import portable, sqrt, where


@pair_style("lj/smooth")
class LJSmooth(WithInner):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < inner; from there to r_c -dE/dr = F + G t + H t^2 + I t^3, t = r - inner.

    pair_style lj/smooth inner r_c              inner, r_c: length; force and slope of the force are steady, zero at r_c
    pair_coeff I J eps sigma [inner r_c]        eps: energy, sigma: length
    """

    coeffs = {"epsilon": energy, "sigma": length}

    def table(self, epsilon: float, sigma: float, inner: float, cut: float) -> Values:
        c, d, wide = 4.0 * epsilon * sigma**12 / inner**12, 4.0 * epsilon * sigma**6 / inner**6, cut - inner
        f, g = (12.0 * c - 6.0 * d) / inner, (42.0 * d - 156.0 * c) / inner**2
        h = -(3.0 * f + 2.0 * g * wide) / wide**2
        return {**numbers(epsilon, sigma), "inner": inner, "e0": c - d, "f": f, "g": g, "h": h,
                "i": -(g + 2.0 * h * wide) / (3.0 * wide**2)}

    @portable
    def pair(r2, p):
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        r = sqrt(r2)
        t = r - p.inner
        far = t > 0.0
        force = (p.f + t * (p.g + t * (p.h + t * p.i))) / r
        energy = p.e0 - t * (p.f + t * (p.g / 2.0 + t * (p.h / 3.0 + t * p.i / 4.0)))
        return where(far, force, ir6 * (p.a * ir6 - p.b) * ir2), where(far, energy, ir6 * (p.c * ir6 - p.d))

"""Lennard-Jones 12-6 with the switch of GROMACS between two distances."""

from __future__ import annotations

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.inner import WithInner, ending
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import numbers
from everlet.portable import most, portable, sqrt


@pair_style("lj/gromacs")
class LJGromacs(WithInner):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] + C + A t^3/3 + B t^4/4 for r < r_c, with t = r - inner, or 0 below.

    pair_style lj/gromacs inner r_c             inner, r_c: length; E, its slope and its curvature are zero at r_c
    pair_coeff I J eps sigma [inner r_c]        eps: energy, sigma: length
    """

    coeffs = {"epsilon": energy, "sigma": length}
    shiftable = False

    def table(self, epsilon: float, sigma: float, inner: float, cut: float) -> Values:
        c, d = 4.0 * epsilon * sigma**12 / cut**12, 4.0 * epsilon * sigma**6 / cut**6
        a, b, constant = ending(c - d, (6.0 * d - 12.0 * c) / cut, (156.0 * c - 42.0 * d) / cut**2, cut - inner)
        return {**numbers(epsilon, sigma), "inner": inner, "t3": a, "t4": b, "constant": constant}

    @portable
    def pair(r2, p):
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        r = sqrt(r2)
        t = most(r - p.inner, 0.0)
        force = ir6 * (p.a * ir6 - p.b) * ir2 - t * t * (p.t3 + p.t4 * t) / r
        return force, ir6 * (p.c * ir6 - p.d) + p.constant + t * t * t * (p.t3 / 3.0 + p.t4 / 4.0 * t)

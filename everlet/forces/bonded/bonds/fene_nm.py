"""E = -K R^2 / 2 ln(1 - r^2 / R^2) + E0 / (n - m) [m (r0/r)^n - n (r0/r)^m], the latter for r < r0.

    bond_coeff TYPE K R E0 r0 n m

Where the argument of the logarithm is small: as bond style fene.
"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.springs import spring, too_long
from everlet.forces.pair.formulas import Values
from everlet.portable import exp, log, portable, where


@bond_style("fene/nm")
class FeneNm(BondStyle):
    coeffs = {"k": 30.0, "reach": 2.5, "e0": 1.0, "r0": 1.0, "n": 12.0, "m": 6.0}

    def table(self, k: float, reach: float, e0: float, r0: float, n: float, m: float) -> Values:
        if n == m:
            raise InputError(f"bond style fene/nm: n and m are both {n:g}", "give two different powers")
        return {"k": 0.5 * k * reach**2, "per_r2": 1.0 / reach**2, "r02": r0 * r0, "rises": e0 * m / (n - m),
                "falls": e0 * n / (n - m), "n": 0.5 * n, "m": 0.5 * m}

    def rest(self, type: int) -> float:
        return 0.97 * self.given[type]["r0"]

    @portable
    def energy(r2, p):
        near = log(p.r02 / r2)
        core = p.rises * exp(p.n * near) - p.falls * exp(p.m * near)
        return p.k * spring(r2 * p.per_r2) + where(r2 < p.r02, core, 0.0)

    @portable
    def alarm(r2, p):
        return too_long(r2 * p.per_r2)

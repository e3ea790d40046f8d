"""As fene (fene.py), at the distance r - shift.   bond_coeff TYPE K R epsilon sigma shift"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.springs import core, spring, too_long
from everlet.forces.pair.formulas import Values
from everlet.portable import portable, sqrt


@bond_style("fene/expand")
class FeneExpand(BondStyle):
    coeffs = {"k": 30.0, "r0": 2.5, "epsilon": 1.0, "sigma": 1.0, "shift": 0.2}

    def table(self, k: float, r0: float, epsilon: float, sigma: float, shift: float) -> Values:
        return {"k": 0.5 * k * r0 * r0, "per_r2": 1.0 / r0**2, "epsilon": epsilon, "sigma2": sigma * sigma, "shift": shift}

    def rest(self, type: int) -> float:
        return 0.97 * self.given[type]["sigma"] + self.given[type]["shift"]

    @portable
    def energy(r, p):
        s2 = (r - p.shift) ** 2
        return p.k * spring(s2 * p.per_r2) + p.epsilon * core(p.sigma2 / s2)

    @portable
    def alarm(r2, p):
        return too_long((sqrt(r2) - p.shift) ** 2 * p.per_r2)

"""E = -K R^2 / 2 ln(1 - r^2 / R^2) + 4 epsilon [(sigma/r)^12 - (sigma/r)^6] + epsilon, the latter for r < 2^(1/6) sigma.

    bond_coeff TYPE K R epsilon sigma

Where the argument of the logarithm is below 0.1 the energy goes on along its slope in r^2, with a
warning; at -3 and below a run stops.
"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.springs import core, spring, too_long
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@bond_style("fene")
class Fene(BondStyle):
    coeffs = {"k": 30.0, "r0": 2.5, "epsilon": 1.0, "sigma": 1.0}

    def table(self, k: float, r0: float, epsilon: float, sigma: float) -> Values:
        return {"k": 0.5 * k * r0 * r0, "per_r2": 1.0 / r0**2, "epsilon": epsilon, "sigma2": sigma * sigma}

    def rest(self, type: int) -> float:
        return 0.97 * self.given[type]["sigma"]

    @portable
    def energy(r2, p):
        return p.k * spring(r2 * p.per_r2) + p.epsilon * core(p.sigma2 / r2)

    @portable
    def alarm(r2, p):
        return too_long(r2 * p.per_r2)

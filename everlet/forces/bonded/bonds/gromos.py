"""E = K (r^2 - r0^2)^2.   bond_coeff TYPE K r0"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.portable import portable


@bond_style("gromos")
class Gromos(BondStyle):
    coeffs = {"k": 30.0, "r0": 1.0}

    @portable
    def energy(r2, p):
        return p.k * (r2 - p.r0 * p.r0) ** 2

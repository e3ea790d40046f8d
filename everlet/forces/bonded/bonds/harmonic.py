"""E = K (r - r0)^2.   bond_coeff TYPE K r0"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.portable import portable


@bond_style("harmonic")
class Harmonic(BondStyle):
    coeffs = {"k": 100.0, "r0": 1.0}

    @portable
    def energy(r, p):
        return p.k * (r - p.r0) ** 2

"""E = D [1 - exp(-alpha (r - r0))]^2.   bond_coeff TYPE D alpha r0"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.portable import exp, portable


@bond_style("morse")
class Morse(BondStyle):
    coeffs = {"d": 5.0, "alpha": 2.0, "r0": 1.0}

    @portable
    def energy(r, p):
        return p.d * (1.0 - exp(p.alpha * (p.r0 - r))) ** 2

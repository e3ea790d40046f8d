"""E = K2 d^2 + K3 d^3 + K4 d^4, d = r - r0.   bond_coeff TYPE r0 K2 K3 K4"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.portable import portable


@bond_style("class2")
class Class2(BondStyle):
    coeffs = {"r0": 1.0, "k2": 100.0, "k3": -150.0, "k4": 200.0}

    @portable
    def energy(r, p):
        d = r - p.r0
        return d * d * (p.k2 + d * (p.k3 + d * p.k4))

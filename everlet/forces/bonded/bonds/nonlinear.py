"""E = epsilon d^2 / (lambda^2 - d^2), d = r - r0.   bond_coeff TYPE epsilon r0 lambda"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.portable import portable


@bond_style("nonlinear")
class Nonlinear(BondStyle):
    coeffs = {"epsilon": 20.0, "r0": 1.0, "lamda": 1.5}

    @portable
    def energy(r, p):
        d2 = (r - p.r0) ** 2
        return p.epsilon * d2 / (p.lamda * p.lamda - d2)

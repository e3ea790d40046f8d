"""A spring."""

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.portable import portable, sqrt


@bond_style("harmonic")
class Harmonic(BondStyle):
    """E = k (r - r0)^2.   bond_coeff TYPE k r0     k: energy/length^2, r0: length"""

    coeffs = ("k", "r0")

    @portable
    def energy(r2, p):
        d = sqrt(r2) - p.r0
        return p.k * d * d

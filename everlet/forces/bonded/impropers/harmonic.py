"""E = K (|phi| - chi0)^2, phi the dihedral angle of the four atoms.   improper_coeff TYPE K chi0 (degrees)"""

from __future__ import annotations

from everlet.forces.bonded.base import Degrees, ImproperStyle, improper_style
from everlet.portable import magnitude, portable


@improper_style("harmonic")
class Harmonic(ImproperStyle):
    coeffs = {"k": 20.0, "chi0": Degrees(10.0)}

    @portable
    def energy(phi, p):
        return p.k * (magnitude(phi) - p.chi0) ** 2

"""E = K d^2, d = phi - phi0 brought to -pi ... pi.   dihedral_coeff TYPE K phi0 (degrees)"""

from __future__ import annotations

from everlet.forces.bonded.base import Degrees, DihedralStyle, dihedral_style
from everlet.portable import floor, portable


@dihedral_style("quadratic")
class Quadratic(DihedralStyle):
    coeffs = {"k": 5.0, "phi0": Degrees(80.0)}

    @portable
    def energy(phi, p):
        d = phi - p.phi0
        d = d - 6.283185307179586 * floor(d * 0.15915494309189535 + 0.5)
        return p.k * d * d

"""E = A (1 - cos phi) + B (1 + cos 3 phi) + C [1 + cos(phi + 45 degrees)].   dihedral_coeff TYPE A B C"""

from __future__ import annotations

from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.portable import cos, portable


@dihedral_style("helix")
class Helix(DihedralStyle):
    coeffs = {"a": 1.0, "b": 2.0, "c": 3.0}

    @portable
    def energy(phi, p):
        return p.a * (1.0 - cos(phi)) + p.b * (1.0 + cos(3.0 * phi)) + p.c * (1.0 + cos(phi + 0.7853981633974483))

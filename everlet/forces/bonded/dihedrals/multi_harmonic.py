"""E = sum over n = 1 ... 5 of A_n cos^(n-1) phi.   dihedral_coeff TYPE A1 A2 A3 A4 A5"""

from __future__ import annotations

from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.portable import portable


@dihedral_style("multi/harmonic")
class MultiHarmonic(DihedralStyle):
    coeffs = {"a1": 1.0, "a2": -2.0, "a3": 0.7, "a4": 3.0, "a5": -1.1}

    @portable
    def energy(cosine, p):
        return p.a1 + cosine * (p.a2 + cosine * (p.a3 + cosine * (p.a4 + cosine * p.a5)))

"""E = [K1 (1 + cos phi) + K2 (1 - cos 2 phi) + K3 (1 + cos 3 phi) + K4 (1 - cos 4 phi)] / 2.

    dihedral_coeff TYPE K1 K2 K3 K4
"""

from __future__ import annotations

from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.portable import portable


@dihedral_style("opls")
class Opls(DihedralStyle):
    coeffs = {"k1": 1.3, "k2": -0.4, "k3": 2.1, "k4": 0.6}

    @portable
    def energy(cosine, p):
        c2 = cosine * cosine
        odd = p.k1 * (1.0 + cosine) + p.k3 * (1.0 + cosine * (4.0 * c2 - 3.0))
        return 0.5 * odd + (1.0 - c2) * (p.k2 + 4.0 * c2 * p.k4)

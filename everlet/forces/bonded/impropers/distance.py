"""E = K2 d^2 + K4 d^4, d the distance of atom 1 from the plane of the others.   improper_coeff TYPE K2 K4"""

from __future__ import annotations

from everlet.forces.bonded.base import ImproperStyle, improper_style
from everlet.portable import portable


@improper_style("distance")
class Distance(ImproperStyle):
    coeffs = {"k2": 20.0, "k4": 10.0}

    @portable
    def energy(h1, p):
        square = h1 * h1
        return square * (p.k2 + p.k4 * square)

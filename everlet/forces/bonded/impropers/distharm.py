"""E = K (d - d0)^2, d the distance of atom 1 from the plane of the others, with a sign.   improper_coeff TYPE K d0"""

from __future__ import annotations

from everlet.forces.bonded.base import ImproperStyle, improper_style
from everlet.portable import portable


@improper_style("distharm")
class Distharm(ImproperStyle):
    coeffs = {"k": 20.0, "d0": 0.3}

    @portable
    def energy(h1, p):
        return p.k * (h1 - p.d0) ** 2

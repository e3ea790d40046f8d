"""E = K (d^2 - d0^2)^2, d the distance of atom 1 from the plane of the others.   improper_coeff TYPE K d0^2"""

from __future__ import annotations

from everlet.forces.bonded.base import ImproperStyle, improper_style
from everlet.portable import portable


@improper_style("sqdistharm")
class Sqdistharm(ImproperStyle):
    coeffs = {"k": 20.0, "square0": 0.1}

    @portable
    def energy(h1, p):
        return p.k * (h1 * h1 - p.square0) ** 2

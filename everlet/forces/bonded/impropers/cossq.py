"""E = K cos^2(w - chi0) / 2, w the angle of x2 - x1 with x4 - x3.   improper_coeff TYPE K chi0 (degrees)"""

from __future__ import annotations

from everlet.forces.bonded.base import Degrees, ImproperStyle, improper_style
from everlet.portable import cos, portable


@improper_style("cossq")
class Cossq(ImproperStyle):
    coeffs = {"k": 20.0, "chi0": Degrees(20.0)}

    @portable
    def energy(omega, p):
        return 0.5 * p.k * cos(omega - p.chi0) ** 2

"""E = K (theta - theta0)^2.   angle_coeff TYPE K theta0 (degrees)"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.portable import portable


@angle_style("harmonic")
class Harmonic(AngleStyle):
    coeffs = {"k": 50.0, "theta0": Degrees(110.0)}

    @portable
    def energy(theta, p):
        return p.k * (theta - p.theta0) ** 2

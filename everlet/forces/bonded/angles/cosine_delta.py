"""E = K [1 - cos(theta - theta0)].   angle_coeff TYPE K theta0 (degrees)"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.portable import cos, portable


@angle_style("cosine/delta")
class CosineDelta(AngleStyle):
    coeffs = {"k": 50.0, "theta0": Degrees(110.0)}

    @portable
    def energy(theta, p):
        return p.k * (1.0 - cos(theta - p.theta0))

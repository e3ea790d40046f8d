"""E = -Umin [1 + cos(theta - theta0)] / 2.   angle_coeff TYPE Umin theta0 (degrees)"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.portable import cos, portable


@angle_style("cosine/shift")
class CosineShift(AngleStyle):
    coeffs = {"umin": 10.0, "theta0": Degrees(45.0)}

    @portable
    def energy(theta, p):
        return -0.5 * p.umin * (1.0 + cos(theta - p.theta0))

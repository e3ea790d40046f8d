"""E = K d^2 [1 - 0.802141 d + 0.183837 d^2 - 0.131664 d^3 + 0.23709 d^4], d = theta - theta0 in radians.

    angle_coeff TYPE K theta0 (degrees)
"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.portable import portable


@angle_style("mm3")
class Mm3(AngleStyle):
    coeffs = {"k": 50.0, "theta0": Degrees(110.0)}

    @portable
    def energy(theta, p):
        d = theta - p.theta0
        return p.k * d * d * (1.0 + d * (-0.802141 + d * (0.183837 + d * (-0.131664 + d * 0.23709))))

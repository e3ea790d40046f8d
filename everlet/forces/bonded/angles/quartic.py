"""E = K2 d^2 + K3 d^3 + K4 d^4, d = theta - theta0.   angle_coeff TYPE theta0 (degrees) K2 K3 K4"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.portable import portable


@angle_style("quartic")
class Quartic(AngleStyle):
    coeffs = {"theta0": Degrees(110.0), "k2": 50.0, "k3": -20.0, "k4": 10.0}

    @portable
    def energy(theta, p):
        d = theta - p.theta0
        return d * d * (p.k2 + d * (p.k3 + d * p.k4))

"""E = K (theta - theta0)^2 + Ku (r13 - ru)^2, with a Urey-Bradley term.   angle_coeff TYPE K theta0 Ku ru"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.portable import portable


@angle_style("charmm")
class Charmm(AngleStyle):
    coeffs = {"k": 50.0, "theta0": Degrees(110.0), "ku": 20.0, "ru": 1.0}

    @portable
    def energy(theta, r13, p):
        return p.k * (theta - p.theta0) ** 2 + p.ku * (r13 - p.ru) ** 2

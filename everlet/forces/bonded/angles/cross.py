"""E = KSS (r12 - r1)(r32 - r2) + [KBS0 (r12 - r1) + KBS1 (r32 - r2)] (theta - theta0).

    angle_coeff TYPE KSS KBS0 KBS1 r1 r2 theta0 (degrees)
"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.portable import portable


@angle_style("cross")
class Cross(AngleStyle):
    coeffs = {"kss": 12.0, "kbs0": 8.0, "kbs1": 6.0, "r1": 1.5, "r2": 1.4, "theta0": Degrees(110.0)}

    @portable
    def energy(theta, r12, r32, p):
        d1, d2 = r12 - p.r1, r32 - p.r2
        return p.kss * d1 * d2 + (p.kbs0 * d1 + p.kbs1 * d2) * (theta - p.theta0)

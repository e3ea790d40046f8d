"""E = K2 d^2 + K3 d^3 + K4 d^4 + M (r12 - r1)(r32 - r2) + [N1 (r12 - r1) + N2 (r32 - r2)] d, d = theta - theta0.

    angle_coeff TYPE theta0 (degrees) K2 K3 K4
    angle_coeff TYPE bb M r1 r2              bonds with each other
    angle_coeff TYPE ba N1 N2 r1 r2          bonds with the angle
"""

from __future__ import annotations

from typing import ClassVar

from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.portable import portable


@angle_style("class2")
class Class2(AngleStyle):
    coeffs: ClassVar[tuple[str, ...] | dict[str, float]] = ("theta0", "k2", "k3", "k4")
    parts = {"bb": ("m", "r1", "r2"), "ba": ("n1", "n2", "r1", "r2")}
    degrees = ("theta0",)
    example = {"theta0": 110.0, "k2": 50.0, "k3": -20.0, "k4": 10.0, "bb_m": 12.0, "ba_n1": 8.0, "ba_n2": 6.0}

    @portable
    def energy(theta, r12, r32, p):
        d = theta - p.theta0
        bending = d * d * (p.k2 + d * (p.k3 + d * p.k4))
        crossed = (p.ba_n1 * (r12 - p.ba_r1) + p.ba_n2 * (r32 - p.ba_r2)) * d
        return bending + crossed + p.bb_m * (r12 - p.bb_r1) * (r32 - p.bb_r2)

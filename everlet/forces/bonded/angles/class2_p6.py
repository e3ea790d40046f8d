"""E = sum over n = 2 ... 6 of K_n d^n, d = theta - theta0, and the cross terms of angle style class2.

    angle_coeff TYPE theta0 (degrees) K2 K3 K4 K5 K6
    angle_coeff TYPE bb M r1 r2              bonds with each other
    angle_coeff TYPE ba N1 N2 r1 r2          bonds with the angle
"""

from __future__ import annotations

from everlet.forces.bonded.angles.class2 import Class2
from everlet.forces.bonded.base import angle_style
from everlet.portable import portable


@angle_style("class2/p6")
class Class2P6(Class2):
    coeffs = ("theta0", "k2", "k3", "k4", "k5", "k6")
    example = {**Class2.example, "k5": 3.0, "k6": 2.0}

    @portable
    def energy(theta, r12, r32, p):
        d = theta - p.theta0
        bending = d * d * (p.k2 + d * (p.k3 + d * (p.k4 + d * (p.k5 + d * p.k6))))
        crossed = (p.ba_n1 * (r12 - p.ba_r1) + p.ba_n2 * (r32 - p.ba_r2)) * d
        return bending + crossed + p.bb_m * (r12 - p.bb_r1) * (r32 - p.bb_r2)

"""E = -k T ln sum over i of A_i / (w_i sqrt(pi / 2)) exp[-2 (theta - theta_i)^2 / w_i^2].

    angle_coeff TYPE T n A1 w1 theta1 ... An wn thetan (theta in degrees, w in radians)
"""

from __future__ import annotations

import math

from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.forces.bonded.wells import Wells, wells
from everlet.portable import portable


@angle_style("gaussian")
class Gaussian(Wells, AngleStyle):
    unit = math.pi / 180.0
    example = {"temperature": 300.0, "a1": 0.7, "w1": 0.3, "x1": 110.0, "a2": 0.4, "w2": 0.5, "x2": 140.0}

    @portable
    def energy(theta, p):
        return wells(theta, p)

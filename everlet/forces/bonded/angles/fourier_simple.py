"""E = K [1 + c cos(n theta)].   angle_coeff TYPE K c n"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.portable import cos, portable


@angle_style("fourier/simple")
class FourierSimple(AngleStyle):
    coeffs = {"k": 30.0, "c": -0.7, "n": 2.0}

    @portable
    def energy(theta, p):
        return p.k * (1.0 + p.c * cos(p.n * theta))

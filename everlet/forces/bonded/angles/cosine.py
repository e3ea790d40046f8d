"""E = K (1 + cos theta).   angle_coeff TYPE K"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.portable import portable


@angle_style("cosine")
class Cosine(AngleStyle):
    coeffs = {"k": 50.0}

    @portable
    def energy(cosine, p):
        return p.k * (1.0 + cosine)

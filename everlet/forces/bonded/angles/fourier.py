"""E = K (C0 + C1 cos theta + C2 cos 2 theta).   angle_coeff TYPE K C0 C1 C2"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.portable import portable


@angle_style("fourier")
class Fourier(AngleStyle):
    coeffs = {"k": 30.0, "c0": 1.0, "c1": 0.7, "c2": 0.4}

    @portable
    def energy(cosine, p):
        return p.k * (p.c0 + p.c1 * cosine + p.c2 * (2.0 * cosine * cosine - 1.0))

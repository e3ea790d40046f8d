"""E = (K / 6) (c124 + c123 + c423 - 3 cos chi0)^6, c_ijk the cosine of the angle of x_j - x_i with x_k - x_j.

    improper_coeff TYPE K chi0 (degrees)
"""

from __future__ import annotations

import math

from everlet.forces.bonded.base import Degrees, ImproperStyle, improper_style
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@improper_style("ring")
class Ring(ImproperStyle):
    coeffs = {"k": 3.0, "chi0": Degrees(70.0)}

    def table(self, k: float, chi0: float) -> Values:
        return {"k": k / 6.0, "cosines0": 3.0 * math.cos(chi0)}

    @portable
    def energy(c124, c123, c423, p):
        return p.k * (c124 + c123 + c423 - p.cosines0) ** 6

"""E = K (cos theta - cos theta0)^2.   angle_coeff TYPE K theta0 (degrees)"""

from __future__ import annotations

import math

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@angle_style("cosine/squared")
class CosineSquared(AngleStyle):
    coeffs = {"k": 50.0, "theta0": Degrees(110.0)}

    def table(self, k: float, theta0: float) -> Values:
        return {"k": k, "cosine0": math.cos(theta0)}

    @portable
    def energy(cosine, p):
        return p.k * (cosine - p.cosine0) ** 2

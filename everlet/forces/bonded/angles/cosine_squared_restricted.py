"""E = K (cos theta - cos theta0)^2 / sin^2 theta.   angle_coeff TYPE K theta0 (degrees)"""

from __future__ import annotations

from everlet.forces.bonded.angles.cosine_squared import CosineSquared
from everlet.forces.bonded.base import angle_style
from everlet.portable import portable


@angle_style("cosine/squared/restricted")
class CosineSquaredRestricted(CosineSquared):
    @portable
    def energy(cosine, p):
        return p.k * (cosine - p.cosine0) ** 2 / ((1.0 - cosine) * (1.0 + cosine))

"""E = K (cos phi - cos phi0)^2 / sin^2 phi.   dihedral_coeff TYPE K phi0 (degrees)"""

from __future__ import annotations

import math

from everlet.forces.bonded.base import Degrees, DihedralStyle, dihedral_style
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@dihedral_style("cosine/squared/restricted")
class CosineSquaredRestricted(DihedralStyle):
    coeffs = {"k": 3.0, "phi0": Degrees(100.0)}

    def table(self, k: float, phi0: float) -> Values:
        return {"k": k, "cosine0": math.cos(phi0)}

    @portable
    def energy(cosine, p):
        return p.k * (cosine - p.cosine0) ** 2 / ((1.0 - cosine) * (1.0 + cosine))

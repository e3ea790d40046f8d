"""E = -Umin (exp(-a U) - 1) / (exp(a) - 1), U = -[1 + cos(theta - theta0)] / 2.   angle_coeff TYPE Umin theta0 (degrees) a"""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.forces.bonded.exponential import deepened, well
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@angle_style("cosine/shift/exp")
class CosineShiftExp(AngleStyle):
    coeffs = {"umin": 10.0, "theta0": Degrees(45.0), "a": 2.0}

    def table(self, umin: float, theta0: float, a: float) -> Values:
        return {"at": theta0, **deepened(umin, a)}

    @portable
    def energy(theta, p):
        return well(theta - p.at, p)

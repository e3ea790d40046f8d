"""E = K (cos w - cos w0)^2 / (2 sin^2 w0), or K (1 - cos w) for w0 = 0; w is the angle of the arm 1-4 with the plane of arms
1-2 and 1-3, and cos w is negative where it leans to their side.   improper_coeff TYPE K w0 (degrees)
"""

from __future__ import annotations

import math

from everlet.errors import InputError
from everlet.forces.bonded.base import Degrees, ImproperStyle, improper_style
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@improper_style("umbrella")
class Umbrella(ImproperStyle):
    coeffs = {"k": 20.0, "w0": Degrees(40.0)}

    def table(self, k: float, w0: float) -> Values:
        if w0 == 0.0:
            return {"square": 0.0, "line": k, "cosine0": 1.0}
        if math.sin(w0) == 0.0:
            raise InputError("improper style umbrella: w0 is 180 degrees", "give an angle from 0 to less than 180 degrees")
        return {"square": 0.5 * k / math.sin(w0) ** 2, "line": 0.0, "cosine0": math.cos(w0)}

    @portable
    def energy(s234, p):
        return p.square * (s234 - p.cosine0) ** 2 + p.line * (1.0 - s234)

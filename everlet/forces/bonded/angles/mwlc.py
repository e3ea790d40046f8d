"""E = -k T ln {exp[-K1 (1 + cos theta) / kT] + exp[-(K2 (1 + cos theta) + mu) / kT]} + k T ln [1 + exp(-mu / kT)].

    angle_coeff TYPE K1 K2 mu T      a worm-like chain whose joints may melt
"""

from __future__ import annotations

import math

from everlet.errors import InputError
from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.forces.bonded.wells import log_sum
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@angle_style("mwlc")
class Mwlc(AngleStyle):
    coeffs = {"k1": 16.0, "k2": 2.0, "mu": 3.0, "temperature": 300.0}

    def table(self, k1: float, k2: float, mu: float, temperature: float) -> Values:
        kt = self.system.units.boltz * temperature
        if kt <= 0.0:
            raise InputError(f"angle style mwlc: T must be above 0, found {temperature:g}", "correct it")
        return {"kt": kt, "stiff": k1 / kt, "soft": k2 / kt, "mu": mu / kt, "e0": kt * math.log1p(math.exp(-mu / kt))}

    @portable
    def energy(cosine, p):
        bent = 1.0 + cosine
        return p.e0 - p.kt * log_sum([-p.stiff * bent, -p.soft * bent - p.mu])

"""E = K / 3 sum over the three arms of atom 1 of (w - w0)^2, w the angle of an arm with the plane of the others.

    improper_coeff TYPE K w0 (degrees)
"""

from __future__ import annotations

from everlet.forces.bonded.base import Degrees, ImproperStyle, improper_style
from everlet.portable import portable


@improper_style("inversion/harmonic")
class InversionHarmonic(ImproperStyle):
    coeffs = {"k": 20.0, "w0": Degrees(10.0)}

    @portable
    def energy(w2, w3, w4, p):
        return p.k / 3.0 * ((w2 - p.w0) ** 2 + (w3 - p.w0) ** 2 + (w4 - p.w0) ** 2)

"""E = K (C0 + C1 cos w + C2 cos 2w), w the angle of the arm 1-4 with the plane of the arms 1-2 and 1-3 (umbrella.py says more);
with all = 1 the same of each arm with the plane of the others is added.   improper_coeff TYPE K C0 C1 C2 [all = 1]
"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.bonded.base import ImproperStyle, improper_style
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@improper_style("fourier")
class Fourier(ImproperStyle):
    coeffs = {"k": 5.0, "c0": 1.0, "c1": -0.4, "c2": 0.7, "all": 1}
    defaults = {"all": 1.0}

    def table(self, k: float, c0: float, c1: float, c2: float, all: float) -> Values:
        if all not in (0, 1):
            raise InputError(f"improper style fourier: 'all' is 0 or 1, found {all:g}", "correct it")
        return {"c0": k * (c0 - c2), "c1": k * c1, "c2": 2.0 * k * c2, "all": all}

    @portable
    def energy(s234, s423, s342, p):
        one = p.c0 + s234 * (p.c1 + s234 * p.c2)
        return one + p.all * (2.0 * p.c0 + s423 * (p.c1 + s423 * p.c2) + s342 * (p.c1 + s342 * p.c2))

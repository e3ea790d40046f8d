"""E = (2 C / n^2) [1 - B (-1)^n cos(n theta)].   angle_coeff TYPE C B n, B 1 or -1"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.forces.pair.formulas import Values
from everlet.portable import cos, portable


@angle_style("cosine/periodic")
class CosinePeriodic(AngleStyle):
    coeffs = {"c": 50.0, "b": 1, "n": 3}

    def table(self, c: float, b: float, n: float) -> Values:
        if b not in (1, -1) or n < 1:
            raise InputError(f"angle style cosine/periodic: B is 1 or -1 and n at least 1, found {b:g} and {n:g}",
                             "correct them")
        return {"k": 2.0 * c / n**2, "b": b * (-1.0) ** n, "n": n}

    @portable
    def energy(theta, p):
        return p.k * (1.0 - p.b * cos(p.n * theta))

"""E = K [1 + d cos(n phi)], phi the dihedral angle of the four atoms.   improper_coeff TYPE K d n, d 1 or -1, n 0 to 6"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.bonded.base import ImproperStyle, improper_style
from everlet.forces.pair.formulas import Values
from everlet.portable import cos, portable


@improper_style("cvff")
class Cvff(ImproperStyle):
    coeffs = {"k": 20.0, "d": -1, "n": 2}

    def table(self, k: float, d: float, n: float) -> Values:
        if d not in (1, -1) or not 0 <= n <= 6:
            raise InputError(f"improper style cvff: d is 1 or -1 and n from 0 to 6, found {d:g} and {n:g}", "correct them")
        return {"k": k, "kd": k * d, "n": n}

    @portable
    def energy(phi, p):
        return p.k + p.kd * cos(p.n * phi)

"""E = K [1 + d cos(n phi)].   dihedral_coeff TYPE K d n, d 1 or -1"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.pair.formulas import Values
from everlet.portable import cos, portable


@dihedral_style("harmonic")
class Harmonic(DihedralStyle):
    coeffs = {"k": 5.0, "d": 1, "n": 3}

    def table(self, k: float, d: float, n: float) -> Values:
        if d not in (1, -1) or n < 0:
            raise InputError(f"dihedral style harmonic: d is 1 or -1 and n at least 0, found {d:g} and {n:g}", "correct them")
        return {"k": k, "kd": k * d, "n": n}

    @portable
    def energy(phi, p):
        return p.k + p.kd * cos(p.n * phi)

"""E = U [(r - r0)^2 / (r0 - r1)^2 - 1]: the energy is -U at r0 and 0 at r1.   bond_coeff TYPE U r0 r1"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@bond_style("harmonic/shift")
class HarmonicShift(BondStyle):
    coeffs = {"u": 10.0, "r0": 1.0, "r1": 2.5}

    def table(self, u: float, r0: float, r1: float) -> Values:
        if r0 == r1:
            raise InputError(f"bond style harmonic/shift: r0 and r1 are both {r0:g}", "give two different lengths")
        return {"k": u / (r0 - r1) ** 2, "r0": r0, "u": u}

    @portable
    def energy(r, p):
        return p.k * (r - p.r0) ** 2 - p.u

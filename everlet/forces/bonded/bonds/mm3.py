"""E = K d^2 [1 - 2.55 d + 7/12 (2.55 d)^2], d = r - r0 in Angstrom.   bond_coeff TYPE K r0"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@bond_style("mm3")
class Mm3(BondStyle):
    coeffs = {"k": 100.0, "r0": 1.5}

    def table(self, k: float, r0: float) -> Values:
        return {"k": k, "r0": r0, "s": 2.55 / self.system.units.angstrom}

    @portable
    def energy(r, p):
        d = r - p.r0
        s = p.s * d
        return p.k * d * d * (1.0 - s + 0.58333333333333333 * s * s)

"""E = U [(r - r0)^2 / (r0 - r1)^2 - 1] for r < r1, else 0.   bond_coeff TYPE U r0 r1"""

from __future__ import annotations

from everlet.forces.bonded.base import bond_style
from everlet.forces.bonded.bonds.harmonic_shift import HarmonicShift
from everlet.forces.pair.formulas import Values
from everlet.portable import portable, where


@bond_style("harmonic/shift/cut")
class HarmonicShiftCut(HarmonicShift):
    def table(self, u: float, r0: float, r1: float) -> Values:
        return {**super().table(u, r0, r1), "r1": r1}

    @portable
    def energy(r, p):
        return where(r < p.r1, p.k * (r - p.r0) ** 2 - p.u, 0.0)

"""E = -Umin (exp(-a U) - 1) / (exp(a) - 1), U = -[1 + cos(phi - phi0)] / 2.   dihedral_coeff TYPE Umin phi0 (degrees) a"""

from __future__ import annotations

from everlet.forces.bonded.base import Degrees, DihedralStyle, dihedral_style
from everlet.forces.bonded.exponential import deepened, well
from everlet.forces.pair.formulas import Values
from everlet.portable import portable


@dihedral_style("cosine/shift/exp")
class CosineShiftExp(DihedralStyle):
    coeffs = {"umin": 10.0, "phi0": Degrees(45.0), "a": 2.0}

    def table(self, umin: float, phi0: float, a: float) -> Values:
        return {"at": phi0, **deepened(umin, a)}

    @portable
    def energy(phi, p):
        return well(phi - p.at, p)

"""E = -k T ln sum over i of A_i / (w_i sqrt(pi / 2)) exp[-2 (r - r_i)^2 / w_i^2].

    bond_coeff TYPE T n A1 w1 r1 ... An wn rn
"""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.wells import Wells, wells
from everlet.portable import portable


@bond_style("gaussian")
class Gaussian(Wells, BondStyle):
    @portable
    def energy(r, p):
        return wells(r, p)

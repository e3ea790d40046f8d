"""Gao and Weber's potential: that of Tersoff with another order of bonds.

E = 1/2 sum_ij fC(r) [A exp(-lambda1 r) - b B exp(-lambda2 r)],  b = (beta (1 + zeta))^-n,  fC and zeta as in tersoff

    pair_style gw        pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none
    pair_style gw/zbl    at short distance the universal repulsion of nuclei

Entries of a file are those of tersoff: three elements, m gamma lambda3 c d h n beta lambda2 B R D lambda1 A (zbl: Z_i Z_j r_C
A_F as well).
"""

from __future__ import annotations

from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.threebody.base import Values
from everlet.forces.manybody.threebody.tersoff import Tersoff, TersoffZbl, bond_of, near_bond_of
from everlet.forces.pair.base import pair_style
from everlet.portable import exp, log, portable


@portable
def order(zeta, p):
    """b and its slope; the power of beta is in the parameter b."""
    b = exp(-p.n * log(1.0 + zeta))
    return b, -p.n * b / (1.0 + zeta)


class GaoWeberLike(Tersoff):
    shift_by = 0.0
    configure = FileStyle.configure

    def check(self, values: Values) -> str:
        if values["beta"] == 0.0:
            return "beta is 0, and must be more than 0"
        return super().check(values)

    def derive(self, values: Values) -> Values:
        made = super().derive(values)
        return {**made, "n": values["n"], "b": made["b"] * values["beta"] ** -values["n"]}


@pair_style("gw")
class GaoWeber(GaoWeberLike):
    bond = bond_of(order)


@pair_style("gw/zbl")
class GaoWeberZbl(GaoWeberLike, TersoffZbl):
    bond = near_bond_of(order)

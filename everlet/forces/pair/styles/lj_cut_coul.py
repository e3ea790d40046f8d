"""Lennard-Jones 12-6 and charges within a cutoff."""

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.quantities import inverse_length, length
from everlet.forces.pair.styles.coul import CoulCut, CoulDebye, dsf, dsf_numbers, dsf_self
from everlet.forces.pair.styles.lj_cut import LJCut


class LJCharged(ChargedStyle):
    """What the styles below share: E = 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < r_c, and a Coulomb part."""

    coeffs = LJCut.coeffs
    pair = LJCut.pair
    tail = LJCut.tail
    two_cutoffs = "pair"

    def table(self, epsilon: float, sigma: float) -> dict[str, float]:
        return LJCut.table(self, epsilon, sigma) | self.coulomb_numbers()  # type: ignore[arg-type]

    def coulomb_numbers(self) -> dict[str, float]:
        """Parameters of the Coulomb part."""
        return {}


@pair_style("lj/cut/coul/cut")
class LJCutCoulCut(LJCharged):
    """And C q_i q_j / r for r < r_q.

    pair_style lj/cut/coul/cut r_c [r_q]           r_c, r_q: length; r_q is r_c if it is not given
    pair_coeff I J eps sigma [r_c [r_q]]           eps: energy, sigma: length
    """

    coulomb = CoulCut.coulomb


@pair_style("lj/cut/coul/debye")
class LJCutCoulDebye(LJCharged):
    """And C q_i q_j exp(-kappa r) / r for r < r_q.

    pair_style lj/cut/coul/debye kappa r_c [r_q]   kappa: 1/length
    pair_coeff I J eps sigma [r_c [r_q]]
    """

    settings = {"kappa": inverse_length, "cut": length}
    coulomb = CoulDebye.coulomb

    def coulomb_numbers(self) -> dict[str, float]:
        return {"kappa": self.setting["kappa"]}


@pair_style("lj/cut/coul/dsf")
class LJCutCoulDsf(LJCharged):
    """And the Coulomb part of coul/dsf for r < r_q, the same for all pairs of types.

    pair_style lj/cut/coul/dsf alpha r_c [r_q]     alpha: 1/length
    pair_coeff I J eps sigma [r_c]
    """

    settings = {"alpha": inverse_length, "cut": length}
    two_cutoffs = "all"
    subtracts = True
    example = {"alpha": 0.8}
    coulomb = dsf

    def coulomb_numbers(self) -> dict[str, float]:
        return dsf_numbers(self.setting["alpha"], self.setting["cut_coul"])

    def self_energy(self) -> float:
        return dsf_self(self.setting["alpha"], self.setting["cut_coul"])

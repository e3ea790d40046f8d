"""Coulomb energies of charges within a cutoff: bare, screened, and damped with shifted forces."""

import math

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.erfc import erfc_polynomial
from everlet.forces.pair.quantities import inverse_length, length
from everlet.portable import exp, portable, sqrt


@pair_style("coul/cut")
class CoulCut(ChargedStyle):
    """E = C q_i q_j / r for r < r_c.

    pair_style coul/cut r_c           r_c: length
    pair_coeff I J [r_c]
    """

    counts_mixed = False

    @portable
    def coulomb(r2, p):
        ir = 1.0 / sqrt(r2)
        return ir * ir * ir, ir


@pair_style("coul/debye")
class CoulDebye(ChargedStyle):
    """E = C q_i q_j exp(-kappa r) / r for r < r_c.

    pair_style coul/debye kappa r_c   kappa: 1/length, r_c: length
    pair_coeff I J [r_c]
    """

    settings = {"kappa": inverse_length, "cut": length}
    counts_mixed = False

    def table(self) -> dict[str, float]:
        return {"kappa": self.setting["kappa"]}

    @portable
    def coulomb(r2, p):
        r = sqrt(r2)
        ir = 1.0 / r
        screened = exp(-p.kappa * r) * ir
        return screened * (p.kappa + ir) * ir, screened


def shifts(alpha: float, cut: float) -> tuple[float, float]:
    """e and f for which erfc(alpha r)/r - e - f r has neither energy nor slope at the cutoff."""
    if cut <= 0.0:
        return 0.0, 0.0
    end = math.erfc(alpha * cut)
    f = -(end / cut**2 + 2.0 * alpha / math.sqrt(math.pi) * math.exp(-((alpha * cut) ** 2)) / cut)
    return end / cut - f * cut, f


def dsf_numbers(alpha: float, cut: float) -> dict[str, float]:
    """Parameters of `dsf`."""
    e, f = shifts(alpha, cut)
    return {"alpha": alpha, "slope": 2.0 * alpha / math.sqrt(math.pi), "e_shift": e, "f_shift": f}


def dsf_self(alpha: float, cut: float) -> float:
    """Of an atom with itself and the opposite charges on the sphere around it."""
    return -(shifts(alpha, cut)[0] / 2.0 + alpha / math.sqrt(math.pi))


@portable
def dsf(r2, p):
    r = sqrt(r2)
    ir = 1.0 / r
    x = p.alpha * r
    gauss = exp(-x * x)
    damped = erfc_polynomial(x, gauss) * ir
    return (damped + p.slope * gauss + r * p.f_shift) * ir * ir, damped - p.e_shift - r * p.f_shift


@pair_style("coul/dsf")
class CoulDsf(ChargedStyle):
    """E = C q_i q_j [erfc(alpha r)/r - e - f r] for r < r_c, with e and f such that force and energy end at zero there, and
    -C q_i^2 (e/2 + alpha/sqrt(pi)) for every atom.

    pair_style coul/dsf alpha r_c     alpha: 1/length, r_c: length
    pair_coeff I J
    """

    settings = {"alpha": inverse_length, "cut": length}
    counts_mixed = False
    subtracts = True
    example = {"alpha": 0.8}

    @property
    def cut_words(self) -> tuple[str, ...]:
        return ()

    def table(self) -> dict[str, float]:
        return dsf_numbers(self.setting["alpha"], self.setting["cut"])

    def self_energy(self) -> float:
        return dsf_self(self.setting["alpha"], self.setting["cut"])

    coulomb = dsf

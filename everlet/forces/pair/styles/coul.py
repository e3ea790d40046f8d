"""Coulomb energies of charges and nothing else."""

from typing import ClassVar

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.coulomb import Cut, Damped, Debye, Long, Msm, Wolf
from everlet.forces.pair.softened import SoftCut, SoftLong
from everlet.portable import portable


class Alone:
    """Goes before the Coulomb part: there is no other energy, and one cutoff."""

    counts_mixed: ClassVar[bool] = False
    two_cutoffs: ClassVar[str] = ""


@pair_style("coul/cut")
class CoulCut(Alone, Cut):
    """E = C q_i q_j / r for r < r_c.

    pair_style coul/cut r_c           r_c: length
    pair_coeff I J [r_c]
    """


@pair_style("coul/cut/global")
class CoulCutGlobal(CoulCut):
    """The same with one cutoff for all pairs.

    pair_style coul/cut/global r_c
    pair_coeff I J
    """

    own_cutoffs = False


@pair_style("coul/cut/soft")
class CoulCutSoft(Alone, SoftCut):
    """E = C q_i q_j lambda^n / sqrt(alpha_c (1 - lambda)^2 + r^2) for r < r_c.

    pair_style coul/cut/soft n alpha_c r_c         n: number, alpha_c: length^2, r_c: length
    pair_coeff I J lambda [r_c]                    lambda: 0 … 1
    """


@pair_style("coul/debye")
class CoulDebye(Alone, Debye):
    """E = C q_i q_j exp(-kappa r) / r for r < r_c.

    pair_style coul/debye kappa r_c   kappa: 1/length, r_c: length
    pair_coeff I J [r_c]
    """


@pair_style("coul/dsf")
class CoulDsf(Alone, Damped):
    """E = C q_i q_j [erfc(alpha r)/r - e - f r] for r < r_c, with e and f such that force and energy end at zero there, and
    -C q_i^2 (e/2 + alpha/sqrt(pi)) for every atom.

    pair_style coul/dsf alpha r_c     alpha: 1/length, r_c: length
    pair_coeff I J
    """

    own_cutoffs = False


@pair_style("coul/wolf", "coul/wolf/cs")
class CoulWolf(Alone, Wolf):
    """E = C q_i q_j [erfc(alpha r)/r - e] for r < r_c, e = erfc(alpha r_c)/r_c, and -C q_i^2 (e/2 + alpha/sqrt(pi)) for every
    atom.

    pair_style coul/wolf alpha r_c    alpha: 1/length, r_c: length
    pair_coeff I J
    """

    own_cutoffs = False


@pair_style("coul/long", "coul/long/cs")
class CoulLong(Alone, Long):
    """E = C q_i q_j erfc(g r)/r for r < r_c; kspace_style has the rest and chooses g.

    pair_style coul/long r_c          r_c: length
    pair_coeff I J
    """

    own_cutoffs = False


@pair_style("coul/long/soft")
class CoulLongSoft(Alone, SoftLong):
    """E = C q_i q_j lambda^n erfc(g r) / sqrt(alpha_c (1 - lambda)^2 + r^2) for r < r_c; kspace_style has the rest, of whole
    charges. (The reference's forces are not the slope of this energy unless lambda is 1.)

    pair_style coul/long/soft n alpha_c r_c
    pair_coeff I J lambda
    """

    own_cutoffs = False


@pair_style("coul/exclude")
class CoulExclude(Alone, ChargedStyle):
    """-(1 - w) C q_i q_j / r of special pairs, r < r_c, and nothing of others: beside a solver that has all pairs, with a
    splitting parameter that leaves nothing to near ones. (The reference also takes pairs in the skin of its lists.)

    pair_style coul/exclude r_c
    pair_coeff I J
    """

    own_cutoffs = False
    for_images = True

    @portable
    def coulomb(r2, p):
        return 0.0 * r2, 0.0 * r2


@pair_style("coul/msm")
class CoulMsm(Alone, Msm):
    """E = C q_i q_j [1/r - gamma(r/r_c)/r_c] for r < r_c; kspace_style msm has the rest.

    pair_style coul/msm r_c           r_c: length
    pair_coeff I J
    """

    own_cutoffs = False

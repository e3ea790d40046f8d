"""Coulomb energies of charges and nothing else."""

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coulomb import Cut, Damped, Debye, Long, Wolf


@pair_style("coul/cut")
class CoulCut(Cut):
    """E = C q_i q_j / r for r < r_c.

    pair_style coul/cut r_c           r_c: length
    pair_coeff I J [r_c]
    """

    counts_mixed = False
    two_cutoffs = ""


@pair_style("coul/debye")
class CoulDebye(Debye):
    """E = C q_i q_j exp(-kappa r) / r for r < r_c.

    pair_style coul/debye kappa r_c   kappa: 1/length, r_c: length
    pair_coeff I J [r_c]
    """

    counts_mixed = False
    two_cutoffs = ""


@pair_style("coul/dsf")
class CoulDsf(Damped):
    """E = C q_i q_j [erfc(alpha r)/r - e - f r] for r < r_c, with e and f such that force and energy end at zero there, and
    -C q_i^2 (e/2 + alpha/sqrt(pi)) for every atom.

    pair_style coul/dsf alpha r_c     alpha: 1/length, r_c: length
    pair_coeff I J
    """

    counts_mixed = own_cutoffs = False
    two_cutoffs = ""


@pair_style("coul/wolf", "coul/wolf/cs")
class CoulWolf(Wolf):
    """E = C q_i q_j [erfc(alpha r)/r - e] for r < r_c, e = erfc(alpha r_c)/r_c, and -C q_i^2 (e/2 + alpha/sqrt(pi)) for every
    atom.

    pair_style coul/wolf alpha r_c    alpha: 1/length, r_c: length
    pair_coeff I J
    """

    counts_mixed = own_cutoffs = False
    two_cutoffs = ""


@pair_style("coul/long", "coul/long/cs")
class CoulLong(Long):
    """E = C q_i q_j erfc(g r)/r for r < r_c; kspace_style has the rest and chooses g.

    pair_style coul/long r_c          r_c: length
    pair_coeff I J
    """

    counts_mixed = own_cutoffs = False
    two_cutoffs = ""

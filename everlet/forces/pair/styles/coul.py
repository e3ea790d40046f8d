"""Coulomb energies of charges and nothing else."""

from typing import ClassVar

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coulomb import Cut, Damped, Debye, Long, Wolf


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

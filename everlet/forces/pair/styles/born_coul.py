"""Born-Mayer-Huggins potential of ionic solids, E = A exp((sigma - r)/rho) - C/r^6 + D/r^8 for r < r_c, and charges."""

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coulomb import ExactlyDamped, Long, Msm, Wolf
from everlet.forces.pair.styles.born import Born


@pair_style("born/coul/dsf", "born/coul/dsf/cs")
class BornCoulDsf(ExactlyDamped, Born):
    """And the Coulomb part of coul/dsf with the exact erfc, for r < r_q, the same for all pairs of types.

    pair_style born/coul/dsf alpha r_c [r_q]       alpha: 1/length, r_c, r_q: length; r_q is r_c if it is not given
    pair_coeff I J A rho sigma C D [r_c]           A: energy, rho, sigma: length, C: energy length^6, D: energy length^8
    """


@pair_style("born/coul/wolf", "born/coul/wolf/cs")
class BornCoulWolf(Wolf, Born):
    """And the Coulomb part of coul/wolf for r < r_q, the same for all pairs of types.

    pair_style born/coul/wolf alpha r_c [r_q]
    pair_coeff I J A rho sigma C D [r_c]
    """


@pair_style("born/coul/long", "born/coul/long/cs")
class BornCoulLong(Long, Born):
    """And C q_i q_j erfc(g r)/r for r < r_q, the same for all pairs of types; kspace_style has the rest and chooses g.

    pair_style born/coul/long r_c [r_q]
    pair_coeff I J A rho sigma C D [r_c]
    """


@pair_style("born/coul/msm")
class BornCoulMsm(Msm, Born):
    """And C q_i q_j [1/r - gamma(r/r_q)/r_q] for r < r_q, the same for all pairs of types; kspace_style msm has the rest.

    pair_style born/coul/msm r_c [r_q]
    pair_coeff I J A rho sigma C D [r_c]
    """

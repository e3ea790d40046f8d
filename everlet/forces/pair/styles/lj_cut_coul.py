"""Lennard-Jones 12-6, E = 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < r_c, and charges."""

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coulomb import Cut, Damped, Debye, Long, Msm, Wolf
from everlet.forces.pair.styles.lj_cut import LJCut


@pair_style("lj/cut/coul/cut")
class LJCutCoulCut(Cut, LJCut):
    """And C q_i q_j / r for r < r_q.

    pair_style lj/cut/coul/cut r_c [r_q]           r_c, r_q: length; r_q is r_c if it is not given
    pair_coeff I J eps sigma [r_c [r_q]]           eps: energy, sigma: length
    """


@pair_style("lj/cut/coul/debye")
class LJCutCoulDebye(Debye, LJCut):
    """And C q_i q_j exp(-kappa r) / r for r < r_q.

    pair_style lj/cut/coul/debye kappa r_c [r_q]   kappa: 1/length
    pair_coeff I J eps sigma [r_c [r_q]]
    """


@pair_style("lj/cut/coul/dsf")
class LJCutCoulDsf(Damped, LJCut):
    """And the Coulomb part of coul/dsf for r < r_q, the same for all pairs of types.

    pair_style lj/cut/coul/dsf alpha r_c [r_q]     alpha: 1/length
    pair_coeff I J eps sigma [r_c]
    """


@pair_style("lj/cut/coul/wolf")
class LJCutCoulWolf(Wolf, LJCut):
    """And the Coulomb part of coul/wolf for r < r_q, the same for all pairs of types.

    pair_style lj/cut/coul/wolf alpha r_c [r_q]    alpha: 1/length
    pair_coeff I J eps sigma [r_c]
    """


@pair_style("lj/cut/coul/long", "lj/cut/coul/long/cs")
class LJCutCoulLong(Long, LJCut):
    """And C q_i q_j erfc(g r)/r for r < r_q, the same for all pairs of types; kspace_style has the rest and chooses g.

    pair_style lj/cut/coul/long r_c [r_q]
    pair_coeff I J eps sigma [r_c]
    """


@pair_style("lj/cut/coul/msm")
class LJCutCoulMsm(Msm, LJCut):
    """And C q_i q_j [1/r - gamma(r/r_q)/r_q] for r < r_q, the same for all pairs of types; kspace_style msm has the rest.

    pair_style lj/cut/coul/msm r_c [r_q]
    pair_coeff I J eps sigma [r_c]
    """

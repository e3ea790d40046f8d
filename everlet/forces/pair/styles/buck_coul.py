"""Buckingham potential, E = A exp(-r/rho) - C/r^6 for r < r_c, and charges."""

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coulomb import Cut, Long, Msm
from everlet.forces.pair.styles.buck import Buck


@pair_style("buck/coul/cut")
class BuckCoulCut(Cut, Buck):
    """And C q_i q_j / r for r < r_q.

    pair_style buck/coul/cut r_c [r_q]             r_c, r_q: length; r_q is r_c if it is not given
    pair_coeff I J A rho C [r_c [r_q]]             A: energy, rho: length, C: energy length^6
    """


@pair_style("buck/coul/long", "buck/coul/long/cs")
class BuckCoulLong(Long, Buck):
    """And C q_i q_j erfc(g r)/r for r < r_q, the same for all pairs of types; kspace_style has the rest and chooses g.

    pair_style buck/coul/long r_c [r_q]
    pair_coeff I J A rho C [r_c]
    """


@pair_style("buck/coul/msm")
class BuckCoulMsm(Msm, Buck):
    """And C q_i q_j [1/r - gamma(r/r_q)/r_q] for r < r_q, the same for all pairs of types; kspace_style msm has the rest.

    pair_style buck/coul/msm r_c [r_q]
    pair_coeff I J A rho C [r_c]
    """

"""Born-Mayer repulsion with a Gaussian well."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, inverse_area, inverse_length, length
from everlet.portable import exp, portable, sqrt


@pair_style("born/gauss")
class BornGauss(PairStyle):
    """E = A0 exp(-alpha r) - A1 exp(-beta (r - r0)^2) for r < r_c.

    pair_style born/gauss r_c                    r_c: length
    pair_coeff I J A0 alpha A1 beta r0 [r_c]     A0, A1: energy, alpha: 1/length, beta: 1/length^2, r0: length

    (The reference reads the cutoff of pair_coeff and uses that of pair_style.)
    """

    coeffs = {"biga0": energy, "alpha": inverse_length, "biga1": energy, "beta": inverse_area, "r0": length}
    mixable = False

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        t = r - p.r0
        push, pull = p.biga0 * exp(-p.alpha * r), p.biga1 * exp(-p.beta * t * t)
        return (p.alpha * push - 2.0 * p.beta * t * pull) / r, push - pull

"""Attraction of a squared cosine, for coarse-grained lipids, with or without a repulsive core."""

from math import pi

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length
from everlet.portable import cos, portable, sin, sqrt, where


@pair_style("cosine/squared")
class CosineSquared(PairStyle):
    """E = -eps for r < sigma, -eps cos^2(pi (r - sigma) / (2 (r_c - sigma))) from there to r_c. With wca E below sigma is
    eps [(sigma/r)^12 - 2 (sigma/r)^6], and if sigma = r_c that plus eps is all there is.

    pair_style cosine/squared r_c                   r_c: length
    pair_coeff I J eps sigma [r_c] [wca]            eps: energy, sigma: length
    """

    coeffs = {"epsilon": energy, "sigma": length}
    flags = ("wca",)
    mixable = shiftable = False

    def table(self, epsilon: float, sigma: float, cut: float, wca: float) -> Values:
        if not 0.0 < sigma <= cut or (sigma == cut and not wca):
            raise InputError(f"pair style cosine/squared goes from sigma {sigma:g} to {cut:g}", "give 0 < sigma < r_c")
        core, attraction = epsilon * wca, epsilon * (sigma < cut)
        return {"half": 0.5 * attraction, "rate": pi / (cut - sigma) if attraction else 0.0, "sigma": sigma,
                "c": core * sigma**12, "d": 2.0 * core * sigma**6, "flat": core - attraction}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        x = p.rate * (r - p.sigma)
        inside = r < p.sigma
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        core = ir6 * (p.c * ir6 - p.d)
        push = ir6 * (12.0 * p.c * ir6 - 6.0 * p.d) * ir2
        return where(inside, push, -p.half * p.rate * sin(x) / r), where(inside, core + p.flat, -p.half * (1.0 + cos(x)))

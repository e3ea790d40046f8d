"""Morse potential of a bond-like well."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, inverse_length, length
from everlet.portable import exp, portable, sqrt


@pair_style("morse")
class Morse(PairStyle):
    """E = D [exp(-2 alpha (r - r0)) - 2 exp(-alpha (r - r0))] for r < r_c.

    pair_style morse r_c              r_c: length
    pair_coeff I J D alpha r0 [r_c]   D: energy, alpha: 1/length, r0: length
    """

    coeffs = {"d0": energy, "alpha": inverse_length, "r0": length}

    def table(self, d0: float, alpha: float, r0: float) -> dict[str, float]:
        return {"d0": d0, "alpha": alpha, "r0": r0, "f0": 2.0 * d0 * alpha}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        x = exp(-p.alpha * (r - p.r0))
        return p.f0 * (x * x - x) / r, p.d0 * (x * x - 2.0 * x)

"""Beck potential of helium."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, energy_length6, inverse_length, inverse_length6, length
from everlet.portable import exp, portable, sqrt


@pair_style("beck")
class Beck(PairStyle):
    """E = A exp(-alpha r - beta r^6) - B / s^3 [1 + (2.709 + 3 a^2) / s], s = r^2 + a^2, for r < r_c.

    pair_style beck r_c                       r_c: length
    pair_coeff I J A B a alpha beta [r_c]     A: energy, B: energy length^6, a: length, alpha: 1/length, beta: 1/length^6
    """

    coeffs = {"AA": energy, "BB": energy_length6, "aa": length, "alpha": inverse_length, "beta": inverse_length6}
    mixable = shiftable = False

    def table(self, AA: float, BB: float, aa: float, alpha: float, beta: float) -> dict[str, float]:
        return {"a": AA, "b": BB, "alpha": alpha, "beta": beta, "a2": aa * aa, "c": 2.709 + 3.0 * aa * aa}

    @portable
    def pair(r2, p):
        r, r4 = sqrt(r2), r2 * r2
        iv = 1.0 / (r2 + p.a2)
        push = p.a * exp(-p.alpha * r - p.beta * r4 * r2)
        pull = p.b * iv * iv * iv
        return push * (p.alpha / r + 6.0 * p.beta * r4) - pull * iv * (6.0 + 8.0 * p.c * iv), push - pull * (1.0 + p.c * iv)

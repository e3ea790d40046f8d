"""Yukawa potential: a screened charge."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy_length, inverse_length, length
from everlet.portable import exp, portable, sqrt


@pair_style("yukawa")
class Yukawa(PairStyle):
    """E = A exp(-kappa r)/r for r < r_c.

    pair_style yukawa kappa r_c       kappa: 1/length, r_c: length
    pair_coeff I J A [r_c]            A: energy length
    """

    coeffs = {"a": energy_length}
    other_names = {"alpha": "a"}
    settings = {"kappa": inverse_length, "cut": length}
    mixing = {"a": "geometric"}

    def table(self, a: float) -> dict[str, float]:
        return {"a": a, "kappa": self.setting["kappa"]}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        ir = 1.0 / r
        x = p.a * exp(-p.kappa * r)
        return x * (p.kappa + ir) * ir * ir, x * ir

"""Morse potential whose repulsion is taken away along a path."""

from math import exp as host_exp

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import Quantity, energy, inverse_length, length, number
from everlet.portable import exp, portable, sqrt


@pair_style("morse/soft")
class MorseSoft(PairStyle):
    """E = D (x^2 - 2 x) + B s x^3, x = exp(-alpha (r - r0)), for r < r_c, with B such that E(0) = D (x0^2 - 2 x0)/3 for s = 1:
    B = -2 D exp(-2 alpha r0) (exp(alpha r0) - 1)/3. lambda from l to 1: s from 1 to 0; lambda below l: s = 1 and E is
    multiplied by (lambda / l)^n.

    pair_style morse/soft n l r_c                   n: number, l: 0 … 1, r_c: length
    pair_coeff I J D alpha r0 lambda [r_c]          D: energy, alpha: 1/length, r0: length, lambda: 0 … 1
    """

    coeffs = {"d0": energy, "alpha": inverse_length, "r0": length, "lamda": Quantity("number")}
    settings = {"n": number, "range": number, "cut": length}
    other_names = {"lambda": "lamda"}
    example = {"range": 0.5}

    def table(self, d0: float, alpha: float, r0: float, lamda: float) -> dict[str, float]:
        end = self.setting["range"]
        if not (0.0 < end < 1.0 and 0.0 <= lamda <= 1.0):
            raise InputError(f"lambda {lamda:g} and where its range is divided, {end:g}, must be from 0 to 1",
                             "change pair_style or pair_coeff")
        s, scale = ((lamda - 1.0) / (end - 1.0), 1.0) if lamda >= end else (1.0, (lamda / end) ** self.setting["n"])
        third = -2.0 * d0 * host_exp(-2.0 * alpha * r0) * (host_exp(alpha * r0) - 1.0) / 3.0
        return {"alpha": alpha, "r0": r0, "d": scale * d0, "b": scale * s * third}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        x = exp(-p.alpha * (r - p.r0))
        return p.alpha * x * (2.0 * p.d * (x - 1.0) + 3.0 * p.b * x * x) / r, x * (p.d * (x - 2.0) + p.b * x * x)

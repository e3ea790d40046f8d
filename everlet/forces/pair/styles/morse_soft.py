"""Morse potential that softens and fades with a parameter lambda, for free energies."""

from __future__ import annotations

import math

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, inverse_length, length, number
from everlet.portable import exp, portable, sqrt


@pair_style("morse/soft")
class MorseSoft(PairStyle):
    """E = w [D (x^2 - 2 x) - t B x^3] with x = exp(-alpha (r - r0)), B = 2/3 D exp(-2 alpha r0) (exp(alpha r0) - 1).

    lambda from 1 to s: w = 1, t = (1 - lambda) / (1 - s), which takes the core away; from s to 0: t = 1, w = (lambda/s)^n.

    pair_style morse/soft n s r_c                   n, s: numbers, 0 < s < 1, r_c: length
    pair_coeff I J D alpha r0 lambda [r_c]          D: energy, alpha: 1/length, r0: length, lambda: 0 to 1

    pair_modify shift makes E zero at r_c. (Runs of the reference do not shift, its pair_write does.)
    """

    coeffs = {"d0": energy, "alpha": inverse_length, "r0": length, "lam": number}
    settings = {"nlambda": number, "shift_range": number, "cut": length}
    mixable, other_names = False, {"lambda": "lam"}
    example = {"nlambda": 4.0, "shift_range": 0.9, "lam": 0.5}

    def table(self, d0: float, alpha: float, r0: float, lam: float) -> Values:
        s = self.setting["shift_range"]
        if not 0.0 < s < 1.0:
            raise InputError(f"pair style morse/soft: s must be between 0 and 1, found {s:g}", "change it in pair_style")
        weight, taken = (1.0, (1.0 - lam) / (1.0 - s)) if lam >= s else ((lam / s) ** self.setting["nlambda"], 1.0)
        core = 2.0 / 3.0 * d0 * math.exp(-2.0 * alpha * r0) * (math.exp(alpha * r0) - 1.0)
        return {"d": weight * d0, "b": weight * taken * core, "alpha": alpha, "r0": r0}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        x = exp(-p.alpha * (r - p.r0))
        return p.alpha * x * (2.0 * p.d * (x - 1.0) - 3.0 * p.b * x * x) / r, x * (p.d * (x - 2.0) - p.b * x * x)

"""Lennard-Jones 9-6 of class 2 force fields with a soft core, alone or with charges that have one too.

    E = lambda^n eps (2 d^(-3/2) - 3/d), d = alpha_lj (1 - lambda)^2 + (r/sigma)^6, for r < r_c

Unlike types are mixed by the rule sixthpower whatever pair_modify mix says, which is for their cutoffs alone.
"""

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.softened import softening, with_soft_charges
from everlet.forces.pair.styles.lj_class2 import LJClass2
from everlet.forces.pair.styles.lj_cut_soft import LJCutSoft
from everlet.portable import portable, rsqrt


@pair_style("lj/class2/soft")
class LJClass2Soft(LJClass2):
    """pair_style lj/class2/soft n alpha_lj r_c        n, alpha_lj: numbers, r_c: length
    pair_coeff I J eps sigma lambda [r_c]              eps: energy, sigma: length, lambda: 0 … 1
    """

    coeffs, settings, other_names = LJCutSoft.coeffs, LJCutSoft.settings, LJCutSoft.other_names
    tail = None  # type: ignore[assignment]

    def table(self, epsilon: float, sigma: float, lamda: float) -> dict[str, float]:  # type: ignore[override]
        scale, away = softening(lamda, self.setting["n"], self.setting["alpha_lj"])
        s6 = sigma**-6 if sigma > 0.0 else 0.0
        return {"s6": s6, "core": away, "c": epsilon * scale, "a": 18.0 * epsilon * scale * s6}

    @portable
    def pair(r2, p):
        r4 = r2 * r2
        root = rsqrt(p.core + p.s6 * r4 * r2)
        inverse = root * root
        return p.a * r4 * inverse * inverse * (root - 1.0), p.c * inverse * (2.0 * root - 3.0)


with_soft_charges("lj/class2", LJClass2Soft)

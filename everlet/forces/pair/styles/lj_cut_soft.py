"""Lennard-Jones 12-6 with a soft core, alone or with charges that have one too.

    E = lambda^n 4 eps (1/d^2 - 1/d), d = alpha_lj (1 - lambda)^2 + (r/sigma)^6, for r < r_c
"""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, length, number
from everlet.forces.pair.softened import path, softening, with_soft_charges
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.portable import portable


@pair_style("lj/cut/soft")
class LJCutSoft(PairStyle):
    """pair_style lj/cut/soft n alpha_lj r_c        n, alpha_lj: numbers, r_c: length
    pair_coeff I J eps sigma lambda [r_c]           eps: energy, sigma: length, lambda: 0 … 1

    pair_modify tail yes: lambda^n times the tail of lj/cut, as in the reference.
    """

    coeffs = {"epsilon": energy, "sigma": length, "lamda": path}
    settings = {"n": number, "alpha_lj": number, "cut": length}
    other_names = {"lambda": "lamda"}

    def table(self, epsilon: float, sigma: float, lamda: float) -> dict[str, float]:
        scale, away = softening(lamda, self.setting["n"], self.setting["alpha_lj"])
        s6 = sigma**-6 if sigma > 0.0 else 0.0
        return {"s6": s6, "core": away, "c": 4.0 * epsilon * scale, "a": 24.0 * epsilon * scale * s6}

    @portable
    def pair(r2, p):
        r4 = r2 * r2
        inverse = 1.0 / (p.core + p.s6 * r4 * r2)
        fall = inverse * inverse
        return p.a * r4 * fall * (2.0 * inverse - 1.0), p.c * (fall - inverse)

    def tail(self, cut: float, epsilon: float, sigma: float, lamda: float) -> tuple[float, float]:
        scale = softening(lamda, self.setting["n"], 0.0)[0]
        first, second = LJCut.tail(self, cut, epsilon, sigma)  # type: ignore[arg-type]
        return scale * first, scale * second


with_soft_charges("lj/cut", LJCutSoft)

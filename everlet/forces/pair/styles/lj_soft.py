"""Soft cores: Lennard-Jones potentials that fade with a parameter lambda, for free energies."""

from __future__ import annotations

from typing import ClassVar

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length, number
from everlet.forces.pair.styles.lj_class2 import LJClass2, mix_class2
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.portable import portable, sqrt


class SoftCore(PairStyle):
    """s = `core` + r^6 `s6`; the energy is `e` times a function of s."""

    coeffs = {"epsilon": energy, "sigma": length, "lam": number}
    settings = {"nlambda": number, "alphalj": number, "cut": length}
    mixing, other_names = {"lam": "same"}, {"lambda": "lam"}
    example = {"lam": 0.6, "alphalj": 0.5}
    scale: ClassVar[float]
    hard: ClassVar[type[PairStyle]]

    def parameters(self, values: Values) -> Values:
        if values["sigma"] <= 0.0:
            raise InputError(f"sigma must be positive, found {values['sigma']:g}", "change it in pair_coeff")
        return {"e": self.scale * self.faded(values["lam"]) * values["epsilon"], "s6": values["sigma"] ** -6,
                "core": self.setting["alphalj"] * (1.0 - values["lam"]) ** 2}

    def faded(self, lam: float) -> float:
        return float(lam ** self.setting["nlambda"])

    def tail(self, cut: float, epsilon: float, sigma: float, lam: float) -> tuple[float, float]:
        """That of the hard potential, times lambda^n."""
        return self.hard.tail(self, cut, self.faded(lam) * epsilon, sigma)  # type: ignore[misc]


@pair_style("lj/cut/soft")
class LJCutSoft(SoftCore):
    """E = 4 lambda^n eps (1/s^2 - 1/s) with s = alpha (1 - lambda)^2 + (r/sigma)^6, for r < r_c.

    pair_style lj/cut/soft n alpha r_c              n, alpha: numbers, r_c: length
    pair_coeff I J eps sigma lambda [r_c]           eps: energy, sigma: length, lambda: 0 to 1; it is not mixed
    """

    scale, hard = 4.0, LJCut

    @portable
    def pair(r2, p):
        x = p.s6 * r2 * r2
        inverse = 1.0 / (p.core + x * r2)
        return 6.0 * p.e * x * inverse * inverse * (2.0 * inverse - 1.0), p.e * inverse * (inverse - 1.0)


@pair_style("lj/class2/soft")
class LJClass2Soft(SoftCore):
    """E = lambda^n eps (2/s^(3/2) - 3/s) with s = alpha (1 - lambda)^2 + (r/sigma)^6, for r < r_c. Mixed as lj/class2 is.

    pair_style lj/class2/soft n alpha r_c           n, alpha: numbers, r_c: length
    pair_coeff I J eps sigma lambda [r_c]           eps: energy, sigma: length, lambda: 0 to 1; it is not mixed
    """

    scale, hard = 1.0, LJClass2
    counts_mixed = False  # the reference does not count them

    @portable
    def pair(r2, p):
        x = p.s6 * r2 * r2
        inverse = 1.0 / (p.core + x * r2)
        root = sqrt(inverse)
        return 18.0 * p.e * x * inverse * inverse * (root - 1.0), p.e * inverse * (2.0 * root - 3.0)

    def mix(self, a: Values, b: Values) -> Values:
        return super().mix(a, b) | mix_class2(a, b)

"""Lennard-Jones with a soft core that is switched off between two distances, and charges that have a soft core too.

    E = S(r) lambda^n 4 eps (1/d^2 - 1/d), d = alpha_lj (1 - lambda)^2 + (r/sigma)^6, for r < r_o        S: lj_charmm.py
"""

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.quantities import energy, length, number
from everlet.forces.pair.softened import SoftLong, path
from everlet.forces.pair.styles.lj_charmm import Charmm, switch, switch_numbers
from everlet.forces.pair.styles.lj_cut_soft import LJCutSoft
from everlet.portable import lookup, portable, where


@pair_style("lj/charmm/coul/long/soft")
class LJCharmmCoulLongSoft(SoftLong, Charmm):
    """And C q_i q_j lambda^n erfc(g r) / sqrt(alpha_c (1 - lambda)^2 + r^2) for r < r_q; kspace_style has the rest, of whole
    charges. (The reference's forces of charges are not the slope of this energy unless lambda is 1.)

    pair_style lj/charmm/coul/long/soft n alpha_lj alpha_c r_i r_o [r_q]      n, alpha_lj: numbers, alpha_c: length^2
    pair_coeff I J eps sigma lambda [eps14 sigma14]                           of atoms three bonds apart there is no lambda
    """

    coeffs = {"epsilon": energy, "sigma": length, "lamda": path, "eps14": energy, "sigma14": length}
    settings = {"n": number, "alpha_lj": number, "alpha_c": number, "inner": length, "cut": length}

    def coeff(self, args: list[str]) -> None:
        super(Charmm, self).coeff([*args, *args[2:4]] if len(args) == 5 else args)

    def table(self, epsilon: float, sigma: float, lamda: float) -> dict[str, float]:  # type: ignore[override]
        return LJCutSoft.table(self, epsilon, sigma, lamda)  # type: ignore[arg-type]

    def other_numbers(self) -> tuple[float, ...]:
        return switch_numbers(self.setting["inner"], self.setting["cut"])

    @portable
    def pair(r2, p, data):
        r4 = r2 * r2
        inverse = 1.0 / (p.core + p.s6 * r4 * r2)
        fall = inverse * inverse
        energy = p.c * (fall - inverse)
        pull = p.a * r4 * fall * (2.0 * inverse - 1.0)
        s, slope = switch(r2, lookup(data, 6.0), lookup(data, 7.0), lookup(data, 8.0))
        far = r2 > lookup(data, 6.0)
        return where(far, pull * s + energy * slope / r2, pull), where(far, energy * s, energy)

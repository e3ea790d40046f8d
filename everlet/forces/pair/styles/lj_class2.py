"""Lennard-Jones 9-6 of class 2 force fields, E = eps [2 (sigma/r)^9 - 3 (sigma/r)^6] for r < r_c, alone or with charges.

Unlike types are mixed by the rule sixthpower whatever pair_modify mix says, which is for their cutoffs alone.
"""

from __future__ import annotations

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.coulomb import Cut, Long
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.mixing import mix_energy, mix_length
from everlet.forces.pair.quantities import energy, length
from everlet.portable import portable, rsqrt


def mix_class2(a: Values, b: Values) -> Values:
    """eps and sigma of a pair of unlike types."""
    e = mix_energy("sixthpower", a["epsilon"], b["epsilon"], a["sigma"], b["sigma"])
    return {"epsilon": e, "sigma": mix_length("sixthpower", a["sigma"], b["sigma"])}


@pair_style("lj/class2")
class LJClass2(PairStyle):
    """pair_style lj/class2 r_c         r_c: length
    pair_coeff I J eps sigma [r_c]      eps: energy, sigma: length, the distance of the lowest energy
    """

    coeffs = {"epsilon": energy, "sigma": length}

    def table(self, epsilon: float, sigma: float) -> dict[str, float]:
        return {"a": 18.0 * epsilon * sigma**9, "b": 18.0 * epsilon * sigma**6,
                "c": 2.0 * epsilon * sigma**9, "d": 3.0 * epsilon * sigma**6}

    @portable
    def pair(r2, p):
        ir = rsqrt(r2)
        ir2 = ir * ir
        ir3 = ir * ir2
        ir6 = ir3 * ir3
        return ir6 * (p.a * ir3 - p.b) * ir2, ir6 * (p.c * ir3 - p.d)

    def tail(self, cut: float, epsilon: float, sigma: float) -> tuple[float, float]:
        scale, ratio = epsilon * sigma**3, (sigma / cut) ** 3
        return scale * (ratio**2 / 3.0 - ratio), scale * (3.0 * ratio**2 - 6.0 * ratio)

    def mix(self, a: Values, b: Values) -> Values:
        return super().mix(a, b) | mix_class2(a, b)


@pair_style("lj/class2/coul/cut")
class LJClass2CoulCut(Cut, LJClass2):
    """And C q_i q_j / r for r < r_q.

    pair_style lj/class2/coul/cut r_c [r_q]        r_c, r_q: length; r_q is r_c if it is not given
    pair_coeff I J eps sigma [r_c [r_q]]
    """


@pair_style("lj/class2/coul/long", "lj/class2/coul/long/cs")
class LJClass2CoulLong(Long, LJClass2):
    """And C q_i q_j erfc(g r)/r for r < r_q, the same for all pairs of types; kspace_style has the rest and chooses g.

    pair_style lj/class2/coul/long r_c [r_q]
    pair_coeff I J eps sigma [r_c]
    """

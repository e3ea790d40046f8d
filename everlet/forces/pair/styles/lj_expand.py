"""Lennard-Jones 12-6 between the surfaces of larger particles."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import numbers
from everlet.portable import portable, sqrt


@pair_style("lj/expand")
class LJExpand(PairStyle):
    """E = 4 eps [(sigma/s)^12 - (sigma/s)^6] with s = r - delta, for s < r_c.

    pair_style lj/expand r_c                  r_c: length
    pair_coeff I J eps sigma delta [r_c]      eps: energy, sigma, delta: length

    pair_modify shift makes E zero at s = r_c. (The reference subtracts E(s = r_c + delta), which leaves a jump.)
    """

    coeffs = {"epsilon": energy, "sigma": length, "delta": length}
    other_names = {"shift": "delta"}
    mixing = {"delta": "mean"}

    def table(self, epsilon: float, sigma: float, delta: float) -> dict[str, float]:
        return {**numbers(epsilon, sigma), "delta": delta}

    def reach(self, values: dict[str, float]) -> float:
        return values["cut"] + values["delta"]

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        s = r - p.delta
        is2 = 1.0 / (s * s)
        is6 = is2 * is2 * is2
        return is6 * (p.a * is6 - p.b) / (s * r), is6 * (p.c * is6 - p.d)

    def tail(self, cut: float, epsilon: float, sigma: float, delta: float) -> tuple[float, float]:
        def beyond(power: int, extra: int) -> float:
            """Integral of s^-power (s + delta)^extra from cut on."""
            terms = {2: ((0, 1), (1, 2), (2, 1)), 3: ((0, 1), (1, 3), (2, 3), (3, 1))}[extra]
            return sum(c * delta**k / ((power + k - extra - 1) * cut ** (power + k - extra - 1)) for k, c in terms)

        s6 = sigma**6
        energy_part = 4.0 * epsilon * s6 * (s6 * beyond(12, 2) - beyond(6, 2))
        pressure_part = 4.0 * epsilon * s6 * (12.0 * s6 * beyond(13, 3) - 6.0 * beyond(7, 3))
        return energy_part, pressure_part


@pair_style("lj/expand/coul/long")
class LJExpandCoulLong(Long, LJExpand):
    """And C q_i q_j erfc(g r)/r for r < r_q, the same for all pairs of types; kspace_style has the rest and chooses g.

    pair_style lj/expand/coul/long r_c [r_q]
    pair_coeff I J eps sigma delta [r_c]
    """

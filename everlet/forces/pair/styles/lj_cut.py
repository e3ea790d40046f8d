"""Lennard-Jones 12-6."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, length
from everlet.portable import portable


def numbers(epsilon: float, sigma: float) -> dict[str, float]:
    """What the formula reads: factors of r^-12 and r^-6."""
    s6 = sigma**6
    c, d = 4.0 * epsilon * s6 * s6, 4.0 * epsilon * s6
    return {"a": 12.0 * c, "b": 6.0 * d, "c": c, "d": d}


@pair_style("lj/cut")
class LJCut(PairStyle):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < r_c.

    pair_style lj/cut r_c             r_c: length
    pair_coeff I J eps sigma [r_c]    eps: energy, sigma: length
    """

    coeffs = {"epsilon": energy, "sigma": length}

    def table(self, epsilon: float, sigma: float) -> dict[str, float]:
        return numbers(epsilon, sigma)

    @portable
    def pair(r2, p):
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        return ir6 * (p.a * ir6 - p.b) * ir2, ir6 * (p.c * ir6 - p.d)

    def tail(self, cut: float, epsilon: float, sigma: float) -> tuple[float, float]:
        s6, c3 = sigma**6, cut**3
        repulsion, attraction = 4.0 * epsilon * s6 * s6 / c3**3, 4.0 * epsilon * s6 / c3
        return repulsion / 9.0 - attraction / 3.0, 4.0 / 3.0 * repulsion - 2.0 * attraction

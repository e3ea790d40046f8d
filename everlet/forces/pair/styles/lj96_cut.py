"""Lennard-Jones 9-6."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, length
from everlet.portable import portable, sqrt


@pair_style("lj96/cut")
class LJ96Cut(PairStyle):
    """E = 4 eps [(sigma/r)^9 - (sigma/r)^6] for r < r_c.

    pair_style lj96/cut r_c           r_c: length
    pair_coeff I J eps sigma [r_c]    eps: energy, sigma: length
    """

    coeffs = {"epsilon": energy, "sigma": length}

    def table(self, epsilon: float, sigma: float) -> dict[str, float]:
        s3 = sigma**3
        c, d = 4.0 * epsilon * s3**3, 4.0 * epsilon * s3**2
        return {"a": 9.0 * c, "b": 6.0 * d, "c": c, "d": d}

    @portable
    def pair(r2, p):
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        ir3 = sqrt(ir6)
        return ir6 * (p.a * ir3 - p.b) * ir2, ir6 * (p.c * ir3 - p.d)

    def tail(self, cut: float, epsilon: float, sigma: float) -> tuple[float, float]:
        ratio = sigma**3 / cut**3
        scale = 4.0 * epsilon * sigma**3
        return scale * (ratio**2 / 6.0 - ratio / 3.0), scale * (1.5 * ratio**2 - 2.0 * ratio)

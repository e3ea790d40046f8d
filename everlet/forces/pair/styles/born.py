"""Born-Mayer-Huggins potential of ionic solids, without its Coulomb part."""

from math import exp as host_exp

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, energy_length6, energy_length8, length
from everlet.portable import exp, portable, sqrt


@pair_style("born")
class Born(PairStyle):
    """E = A exp((sigma - r)/rho) - C/r^6 + D/r^8 for r < r_c.

    pair_style born r_c                        r_c: length
    pair_coeff I J A rho sigma C D [r_c]       A: energy, rho, sigma: length, C: energy length^6, D: energy length^8
    """

    coeffs = {"a": energy, "rho": length, "sigma": length, "c": energy_length6, "d": energy_length8}

    def table(self, a: float, rho: float, sigma: float, c: float, d: float) -> dict[str, float]:
        if rho <= 0.0:
            raise InputError(f"rho must be positive, found {rho:g}", "change it in pair_coeff")
        return {"a": a, "inverse": 1.0 / rho, "sigma": sigma, "c": c, "d": d,
                "fa": a / rho, "fc": 6.0 * c, "fd": 8.0 * d}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        x = exp((p.sigma - r) * p.inverse)
        return (p.fa * r * x - p.fc * ir6 + p.fd * ir6 * ir2) * ir2, p.a * x - p.c * ir6 + p.d * ir6 * ir2

    def tail(self, cut: float, a: float, rho: float, sigma: float, c: float, d: float) -> tuple[float, float]:
        x = a * host_exp((sigma - cut) / rho)
        energy_part = x * rho * (cut**2 + 2.0 * rho * cut + 2.0 * rho**2) - c / (3.0 * cut**3) + d / (5.0 * cut**5)
        pressure_part = (x * (cut**3 + 3.0 * rho * cut**2 + 6.0 * rho**2 * cut + 6.0 * rho**3)
                         - 2.0 * c / cut**3 + 1.6 * d / cut**5)
        return energy_part, pressure_part

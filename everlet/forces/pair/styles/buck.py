"""Buckingham potential: exponential repulsion and dispersion."""

from math import exp as host_exp

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, energy_length6, length
from everlet.portable import exp, portable, sqrt


@pair_style("buck")
class Buck(PairStyle):
    """E = A exp(-r/rho) - C/r^6 for r < r_c.

    pair_style buck r_c               r_c: length
    pair_coeff I J A rho C [r_c]      A: energy, rho: length, C: energy length^6
    """

    coeffs = {"a": energy, "rho": length, "c": energy_length6}

    def table(self, a: float, rho: float, c: float) -> dict[str, float]:
        if rho <= 0.0:
            raise InputError(f"rho must be positive, found {rho:g}", "change it in pair_coeff")
        return {"a": a, "inverse": 1.0 / rho, "c": c, "fa": a / rho, "fc": 6.0 * c}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        x = exp(-r * p.inverse)
        return (p.fa * r * x - p.fc * ir6) * ir2, p.a * x - p.c * ir6

    def tail(self, cut: float, a: float, rho: float, c: float) -> tuple[float, float]:
        x = a * host_exp(-cut / rho)
        energy_part = x * rho * (cut**2 + 2.0 * rho * cut + 2.0 * rho**2) - c / (3.0 * cut**3)
        pressure_part = x * (cut**3 + 3.0 * rho * cut**2 + 6.0 * rho**2 * cut + 6.0 * rho**3) - 2.0 * c / cut**3
        return energy_part, pressure_part

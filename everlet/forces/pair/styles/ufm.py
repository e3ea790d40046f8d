"""Uhlenbeck-Ford model: a soft repulsion whose free energy is known."""

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy, length
from everlet.portable import exp, log, portable


@pair_style("ufm")
class Ufm(PairStyle):
    """E = -eps ln(1 - exp(-r^2/sigma^2)) for r < r_c.

    pair_style ufm r_c                r_c: length
    pair_coeff I J eps sigma [r_c]    eps: energy, sigma: length
    """

    coeffs = {"epsilon": energy, "sigma": length}

    def table(self, epsilon: float, sigma: float) -> dict[str, float]:
        if sigma <= 0.0:
            raise InputError(f"sigma must be positive, found {sigma:g}", "change it in pair_coeff")
        return {"epsilon": epsilon, "f0": 2.0 * epsilon / sigma**2, "inverse": 1.0 / sigma**2}

    @portable
    def pair(r2, p):
        x = exp(-p.inverse * r2)
        return p.f0 * x / (1.0 - x), -p.epsilon * log(1.0 - x)

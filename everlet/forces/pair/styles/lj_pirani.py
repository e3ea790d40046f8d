"""Improved Lennard-Jones potential of Pirani: the power of the repulsion grows with the distance."""

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length, power
from everlet.portable import exp, log, portable


@pair_style("lj/pirani")
class LJPirani(PairStyle):
    """E = eps [m/(n - m) x^-n - n/(n - m) x^-m] with x = r/r_m and n = alpha x^2 + beta, m = gamma, for r < r_c.

    pair_style lj/pirani r_c                               r_c: length
    pair_coeff I J alpha beta gamma r_m eps [r_c]          alpha, beta, gamma: numbers, r_m: length, eps: energy
    """

    coeffs = {"alpha": power, "beta": power, "gamma": power, "rm": length, "epsilon": energy}
    mixable = False

    def table(self, alpha: float, beta: float, gamma: float, rm: float, epsilon: float) -> Values:
        if rm <= 0.0:
            raise InputError(f"the distance r_m must be positive, found {rm:g}", "change it in pair_coeff")
        return {"alpha": alpha / rm**2, "beta": beta, "m": gamma, "scale": 1.0 / rm**2, "epsilon": epsilon}

    @portable
    def energy(r2, p):
        n = p.alpha * r2 + p.beta
        way = -0.5 * log(r2 * p.scale)
        return p.epsilon / (n - p.m) * (p.m * exp(n * way) - n * exp(p.m * way))

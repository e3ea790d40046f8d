"""Wang-Frenkel potential: Lennard-Jones-like, and zero with its slope at the cutoff."""

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length, power
from everlet.portable import exp, log, portable


@pair_style("wf/cut")
class WFCut(PairStyle):
    """E = eps c [(sigma/r)^2m - 1] [(r_c/r)^2m - 1]^2n for r < r_c,

    with c = 2n (r_c/sigma)^2m [(1 + 2n) / (2n [(r_c/sigma)^2m - 1])]^(2n + 1): the well is eps deep.

    pair_style wf/cut r_c                     r_c: length
    pair_coeff I J eps sigma n m [r_c]        eps: energy, sigma: length, n, m: positive whole numbers
    """

    coeffs = {"epsilon": energy, "sigma": length, "nu": power, "mu": power}
    mixable = False

    def table(self, epsilon: float, sigma: float, nu: float, mu: float, cut: float) -> Values:
        if not 0.0 < sigma < cut or min(nu, mu) < 1.0 or nu % 1.0 or mu % 1.0:
            raise InputError(f"pair style wf/cut cannot have sigma = {sigma:g}, n = {nu:g}, m = {mu:g}",
                             "give 0 < sigma < r_c and positive whole numbers n and m")
        end, twice = (cut / sigma) ** (2.0 * mu), 2.0 * nu
        scale = epsilon * twice * end * ((1.0 + twice) / (twice * (end - 1.0))) ** (twice + 1.0)
        return {"scale": scale, "sigma2m": sigma ** (2.0 * mu), "cut2m": cut ** (2.0 * mu), "n2": twice, "m": mu}

    @portable
    def pair(r2, p):
        x = exp(-p.m * log(r2))
        core, far = p.sigma2m * x - 1.0, p.cut2m * x - 1.0
        tail = p.scale * exp((p.n2 - 1.0) * log(far))
        return 2.0 * p.m * x * tail * (p.sigma2m * far + p.n2 * p.cut2m * core) / r2, tail * far * core

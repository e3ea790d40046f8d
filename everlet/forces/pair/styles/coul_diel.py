"""Charges in a solvent whose dielectric constant grows with the distance."""

from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.quantities import length, number
from everlet.portable import exp, portable, sqrt

CLOSE = 5.2  # where charges touch


@pair_style("coul/diel")
class CoulDiel(ChargedStyle):
    """E = C q_i q_j [eps_s/eps(r) - 1] / r for r < r_c, eps = (5.2 + eps_s)/2 + (eps_s - 5.2)/2 tanh((r - r_m)/s): what near
    charges have more than in the solvent's bulk. `dielectric eps_s` and a style of long-range charges have the rest.

    pair_style coul/diel r_c                    r_c: length
    pair_coeff I J eps_s r_m s [r_c]            eps_s: number, r_m, s: length

    Each pair of types has its own eps_s (the reference takes that of the last pair_coeff for eps of all).
    """

    coeffs = {"eps_s": number, "rme": length, "sigmae": length}
    mixable = shiftable = False

    def table(self, eps_s: float, rme: float, sigmae: float) -> dict[str, float]:
        if eps_s <= 0.0 or sigmae <= 0.0:
            raise InputError(f"eps_s and the length s must be positive, found {eps_s:g} and {sigmae:g}", "change pair_coeff")
        return {"half": 0.5 * (eps_s - CLOSE) / eps_s, "rme": rme, "steep": 1.0 / sigmae}

    @portable
    def coulomb(r2, p):
        r = sqrt(r2)
        fall = 1.0 / (exp(2.0 * p.steep * (r - p.rme)) + 1.0)  # (1 - tanh)/2
        less = 2.0 * p.half * fall
        scale = 1.0 / (1.0 - less)  # eps_s/eps(r)
        energy = less * scale / r
        return (energy / r + 2.0 * less * p.steep * (1.0 - fall) * scale * scale / r) / r, energy

"""Metal-organic potential with damped dispersion (MOMB)."""

from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, energy_length6, inverse_length, length, number
from everlet.forces.pair.styles.morse import Morse
from everlet.portable import exp, portable, sqrt

morse = Morse.pair


@pair_style("momb")
class Momb(Morse):
    """E = D [exp(-2 alpha (r - r0)) - 2 exp(-alpha (r - r0))] - s6 C/r^6 / (1 + exp(-d (r/R - 1))) for r < r_c.

    pair_style momb r_c s6 d                r_c: length, s6, d: numbers
    pair_coeff I J D alpha r0 C R [r_c]     D: energy, alpha: 1/length, r0, R: length, C: energy length^6

    pair_modify shift makes E zero at r_c. (The reference subtracts what the first part is there.)
    """

    coeffs = {"d0": energy, "alpha": inverse_length, "r0": length, "c": energy_length6, "rr": length}
    settings = {"cut": length, "sscale": number, "dscale": number}
    mixable = False

    def table(self, d0: float, alpha: float, r0: float, c: float, rr: float) -> Values:  # type: ignore[override]
        if rr <= 0.0:
            raise InputError(f"the radius R must be positive, found {rr:g}", "change it in pair_coeff")
        d = self.setting["dscale"]
        return {**super().table(d0, alpha, r0), "c": self.setting["sscale"] * c, "steep": d / rr, "shift": d}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        ir2 = 1.0 / r2
        x = exp(p.shift - p.steep * r)
        damp = 1.0 / (1.0 + x)
        pull = p.c * ir2 * ir2 * ir2 * damp
        force, energy = morse(r2, p)
        return force - pull * (6.0 * ir2 - p.steep * x * damp / r), energy - pull

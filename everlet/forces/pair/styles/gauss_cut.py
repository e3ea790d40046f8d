"""A Gaussian of the distance, away from zero: a barrier, or a well."""

from math import pi
from math import sqrt as host_sqrt

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.mixing import mix_energy, mix_length
from everlet.forces.pair.quantities import energy_length, length
from everlet.portable import exp, portable, sqrt


@pair_style("gauss/cut")
class GaussCut(PairStyle):
    """E = H / (w sqrt(2 pi)) exp(-(r - r_m)^2 / (2 w^2)) for r < r_c.

    pair_style gauss/cut r_c              r_c: length
    pair_coeff I J H r_m w [r_c]          H: energy length, r_m, w: length
    """

    coeffs = {"hgauss": energy_length, "rmh": length, "sigmah": length}
    mixing = {"hgauss": "height"}  # see mix

    def table(self, hgauss: float, rmh: float, sigmah: float) -> Values:
        if sigmah <= 0.0:
            raise InputError(f"the width must be positive, found {sigmah:g}", "change it in pair_coeff")
        return {"top": hgauss / (sigmah * host_sqrt(2.0 * pi)), "rmh": rmh, "inverse": 1.0 / sigmah**2}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        t = (r - p.rmh) * p.inverse
        energy = p.top * exp(-0.5 * (r - p.rmh) * t)
        return energy * t / r, energy

    def mix(self, a: Values, b: Values) -> Values:
        """Heights as energies; two wells give a well."""
        height = mix_energy(self.mix_rule, abs(a["hgauss"]), abs(b["hgauss"]), a["sigmah"], b["sigmah"], "H")
        sign = -1.0 if a["hgauss"] < 0.0 and b["hgauss"] < 0.0 else 1.0
        lengths = {name: mix_length(self.mix_rule, a[name], b[name], name) for name in ("rmh", "sigmah")}
        return {"hgauss": sign * height, **lengths}

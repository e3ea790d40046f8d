"""Yukawa potential between the surfaces of charged colloids."""

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy_per_length, inverse_length, length
from everlet.portable import exp, portable, sqrt
from everlet.state.atom_styles import need_field


@pair_style("yukawa/colloid")
class YukawaColloid(PairStyle):
    """E = A/kappa exp(-kappa (r - R_i - R_j)) for r < r_c; R: the radius of the spheres of a type, which must be the same.

    pair_style yukawa/colloid kappa r_c       kappa: 1/length, r_c: length, from centre to centre
    pair_coeff I J A [r_c]                    A: energy/length
    """

    coeffs = {"a": energy_per_length}
    settings = {"kappa": inverse_length, "cut": length}
    mixing, other_names = {"a": "geometric"}, {"alpha": "a"}

    def _resolve(self, n: int) -> None:
        super()._resolve(n)
        need_field(self.system.atoms, "radius", "pair style yukawa/colloid")
        kinds, radii = self.system.atoms.read("type"), self.system.atoms.read("radius")
        count, whole, squares = (self.system.ranks.sum(np.bincount(kinds, weights, minlength=n + 1))
                                 for weights in (None, radii, radii * radii))
        mean = whole / np.maximum(count, 1)
        uneven = np.flatnonzero(squares - count * mean * mean > 1e-10 * squares)
        if len(uneven):
            raise InputError(f"spheres of type {uneven[0]} have several radii, which pair style yukawa/colloid cannot have",
                             "set type T diameter D")
        self.pairs = {(i, j): values | {"contact": mean[i] + mean[j]} for (i, j), values in self.pairs.items()}

    def parameters(self, values: Values) -> Values:
        kappa = self.setting["kappa"]
        if kappa <= 0.0:
            raise InputError(f"pair style yukawa/colloid: kappa must be positive, found {kappa:g}", "change it in pair_style")
        return {"a": values["a"], "kappa": kappa, "top": values["a"] / kappa, "contact": values.get("contact", 0.0)}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        x = exp(-p.kappa * (r - p.contact))
        return p.a * x / r, p.top * x

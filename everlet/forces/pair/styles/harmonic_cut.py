"""Harmonic repulsion up to a cutoff."""

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.mixing import mix_energy
from everlet.forces.pair.quantities import energy_area
from everlet.portable import portable, sqrt


@pair_style("harmonic/cut")
class HarmonicCut(PairStyle):
    """E = k (r_c - r)^2 for r < r_c.

    pair_style harmonic/cut
    pair_coeff I J k r_c          k: energy/length^2, r_c: length
    """

    coeffs = {"k": energy_area}
    mixing = {"k": "energy"}  # by the cutoffs: see mix
    settings = {}

    def pair_cutoffs(self, given: list[float]) -> Values:
        return {"cut": given[0]}

    def table(self, k: float, cut: float) -> Values:
        return {"k": k, "end": cut}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        inside = p.end - r
        return 2.0 * p.k * inside / r, p.k * inside * inside

    def mix(self, a: Values, b: Values) -> Values:
        return {"k": mix_energy(self.mix_rule, a["k"], b["k"], a["cut"], b["cut"], "k")}

"""Gaussian well (or hill, for negative A)."""

from math import sqrt as host_sqrt

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.mixing import mix_energy, mix_length
from everlet.forces.pair.quantities import energy, inverse_area
from everlet.portable import exp, portable


@pair_style("gauss")
class Gauss(PairStyle):
    """E = -A exp(-B r^2) for r < r_c.

    pair_style gauss r_c              r_c: length
    pair_coeff I J A B [r_c]          A: energy, B: 1/length^2
    """

    coeffs = {"a": energy, "b": inverse_area}
    mixing = {"b": "width"}  # see mix

    def table(self, a: float, b: float) -> dict[str, float]:
        return {"a": a, "b": b, "f0": -2.0 * a * b}

    @portable
    def pair(r2, p):
        x = exp(-p.b * r2)
        return p.f0 * x, -p.a * x

    def mix(self, a: dict[str, float], b: dict[str, float]) -> dict[str, float]:
        """The widths sqrt(1/(2B)) mix as lengths; a hill on either side gives a hill."""
        width_a, width_b = host_sqrt(0.5 / abs(a["b"])), host_sqrt(0.5 / abs(b["b"]))
        sign = -1.0 if a["a"] < 0.0 or b["a"] < 0.0 else 1.0
        depth = mix_energy(self.mix_rule, abs(a["a"]), abs(b["a"]), width_a, width_b, "A")
        width = mix_length(self.mix_rule, width_a, width_b)
        return {"a": sign * depth, "b": 0.5 / (width * width)}

"""Soft repulsion that stays finite at zero distance; pushes overlapping atoms apart."""

from math import pi

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy
from everlet.portable import cos, portable, sin, sqrt, where


@pair_style("soft")
class Soft(PairStyle):
    """E = A [1 + cos(pi r/r_c)] for r < r_c.

    pair_style soft r_c               r_c: length
    pair_coeff I J A [r_c]            A: energy
    """

    coeffs = {"prefactor": energy}
    other_names = {"a": "prefactor"}
    mixing = {"prefactor": "geometric"}  # whatever the rule for distances is
    counts_mixed = False  # the reference does not count them

    def table(self, prefactor: float, cut: float) -> dict[str, float]:
        if cut <= 0.0:
            raise InputError("pair style soft needs a cutoff above zero", "give a larger cutoff")
        return {"a": prefactor, "k": pi / cut, "f0": prefactor * pi / cut}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        apart = r2 > 0.0
        push = p.f0 * sin(p.k * r) / where(apart, r, 1.0)  # no direction, hence no force, at zero distance
        return where(apart, push, 0.0), p.a * (1.0 + cos(p.k * r))

"""Charges that are spread over clouds, orbitals of one decay length: E = C q_i q_j [1/r - (1/r + 1/lambda) e^(-2r/lambda)]."""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle, without
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.quantities import length
from everlet.forces.pair.styles.coul import Alone
from everlet.portable import Portable, exp, lookup, portable, sqrt


@portable
def overlap(r2, p, data):
    """Force / r and energy that clouds have less than points; data[6]: 1/lambda."""
    r = sqrt(r2)
    k = lookup(data, 6.0)
    x = exp(-2.0 * k * r)
    ir = 1.0 / r
    return x * ir * (ir * ir + 2.0 * k * (ir + k)), x * (ir + k)


class Slater(Alone, ChargedStyle):
    """The decay length, the same for all."""

    settings = {"lamda": length, "cut": length}

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        if self.setting["lamda"] <= 0.0:
            raise InputError(f"pair style {self.name}: the decay length must be positive", "change it in pair_style")

    def other_numbers(self) -> tuple[float, ...]:
        return (1.0 / self.setting["lamda"],)


@pair_style("coul/slater/cut")
class CoulSlaterCut(Slater):
    """For r < r_c.

    pair_style coul/slater/cut lambda r_c         lambda, r_c: length
    pair_coeff I J [r_c]
    """

    coulomb = without(ChargedStyle.bare, overlap)


@pair_style("coul/slater/long")
class CoulSlaterLong(Slater, Long):
    """The same with erfc(g r)/r in place of the first 1/r; kspace_style has the rest and chooses g.

    pair_style coul/slater/long lambda r_c
    pair_coeff I J
    """

    own_cutoffs = False
    bare = without(ChargedStyle.bare, overlap)

    def coulomb_function(self, precision: str) -> Portable:
        return without(super().coulomb_function(precision), overlap)

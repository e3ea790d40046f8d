"""Lennard-Jones 12-6 that is switched off between two distances, as the CHARMM force field has it, and charges.

    E = S(r) 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < r_o;  S = 1 for r < r_i, else
    S = (r_o^2 - r^2)^2 (r_o^2 + 2 r^2 - 3 r_i^2) / (r_o^2 - r_i^2)^3
"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.portable import lookup, portable, where
from everlet.state.system import System


@portable
def switch(r2, inner2, outer2, scale):
    """S and -r dS/dr beyond the inner distance; scale: 1 / (outer2 - inner2)^3."""
    far = (outer2 - r2) * scale
    return far * (outer2 - r2) * (outer2 + 2.0 * r2 - 3.0 * inner2), 12.0 * r2 * far * (r2 - inner2)


def switch_numbers(inner: float, outer: float) -> tuple[float, float, float]:
    """Squares of both distances, and `scale`."""
    return inner**2, outer**2, 1.0 / (outer**2 - inner**2) ** 3


class Charmm(ChargedStyle):
    """The van der Waals part. Every pair of types has eps and sigma, and others for atoms three bonds apart, which dihedral
    style charmm computes; they are the same if they are not given. Unlike types are mixed arithmetically unless told otherwise.
    """

    coeffs = {"epsilon": energy, "sigma": length, "eps14": energy, "sigma14": length}
    settings = {"inner": length, "cut": length}
    example = {"inner": 2.0}
    shiftable = False
    own_cutoffs = False

    def __init__(self, system: System, args: list[str]):
        super().__init__(system, args)
        self.mix_rule = "arithmetic"

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        if not self.setting["inner"] < self.setting["cut"]:
            raise InputError(f"pair style {self.name}: the inner distance {args[0]} is not below the outer one {args[1]}",
                             "give the smaller one first")

    def coeff(self, args: list[str]) -> None:
        super().coeff([*args, *args[2:]] if len(args) == 4 else args)

    def mix(self, a: Values, b: Values) -> Values:
        names = {"epsilon": "eps14", "sigma": "sigma14"}
        second = super().mix(*({**values, **{name: values[other] for name, other in names.items()}} for values in (a, b)))
        return super().mix(a, b) | {other: second[name] for name, other in names.items()}

    def table(self, epsilon: float, sigma: float) -> dict[str, float]:
        return LJCut.table(self, epsilon, sigma)  # type: ignore[arg-type]

    def other_numbers(self) -> tuple[float, ...]:
        return switch_numbers(self.setting["inner"], self.setting["cut"])

    @portable
    def pair(r2, p, data):
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        pull, energy = ir6 * (p.a * ir6 - p.b), ir6 * (p.c * ir6 - p.d)
        s, slope = switch(r2, lookup(data, 6.0), lookup(data, 7.0), lookup(data, 8.0))
        far = r2 > lookup(data, 6.0)
        return where(far, pull * s + energy * slope, pull) * ir2, where(far, energy * s, energy)


@pair_style("lj/charmm/coul/long")
class LJCharmmCoulLong(Charmm, Long):
    """And C q_i q_j erfc(g r)/r for r < r_q; kspace_style has the rest and chooses g.

    pair_style lj/charmm/coul/long r_i r_o [r_q]          lengths; r_q is r_o if it is not given
    pair_coeff I J eps sigma [eps14 sigma14]              eps: energy, sigma: length
    """

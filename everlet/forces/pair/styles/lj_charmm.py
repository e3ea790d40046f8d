"""Lennard-Jones 12-6 that is switched off between two distances, as the CHARMM force field has it, and charges.

    E = S(r) 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < r_o;  S = 1 for r < r_i, else
    S = (r_o^2 - r^2)^2 (r_o^2 + 2 r^2 - 3 r_i^2) / (r_o^2 - r_i^2)^3
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.coulomb import Long, Msm
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.one_four import OneFour, bare, in_a_solvent
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.portable import Portable, lookup, most, portable, rsqrt, where
from everlet.state.system import System


@portable
def switch(r2, inner2, outer2, scale):
    """S and -r dS/dr beyond the inner distance; scale: 1 / (outer2 - inner2)^3."""
    far = (outer2 - r2) * scale
    return far * (outer2 - r2) * (outer2 + 2.0 * r2 - 3.0 * inner2), 12.0 * r2 * far * (r2 - inner2)


def switch_numbers(inner: float, outer: float) -> tuple[float, float, float]:
    """Squares of both distances, and `scale`."""
    return inner**2, outer**2, 1.0 / (outer**2 - inner**2) ** 3


@portable
def switched(r2, ir2, p, data):
    """With s = r^2 - r_i^2, or 0 below: S = 1 - 3 (s/w)^2 + 2 (s/w)^3, w = r_o^2 - r_i^2; both powers of 1/r in the force
    have a polynomial of s as their factor."""
    ir6 = ir2 * ir2 * ir2
    s = most(r2 - lookup(data, 6.0), 0.0)
    on12 = ((lookup(data, 9.0) * s + lookup(data, 8.0)) * s + lookup(data, 7.0)) * s + 12.0
    on6 = ((lookup(data, 12.0) * s + lookup(data, 11.0)) * s + lookup(data, 10.0)) * s + 6.0
    factor = (lookup(data, 15.0) * s + lookup(data, 14.0)) * s * s + 1.0
    repulsion = p.c * ir6
    return ir6 * (repulsion * on12 - p.d * on6) * ir2, ir6 * (repulsion - p.d) * factor


@portable
def by_division(r2, p, data):
    return switched(r2, 1.0 / r2, p, data)


class Charmm(ChargedStyle):
    """The van der Waals part. Every pair of types has eps and sigma, and others for atoms three bonds apart, which dihedral
    style charmm computes; they are the same if they are not given. Unlike types are mixed arithmetically unless told otherwise.
    """

    coeffs = {"epsilon": energy, "sigma": length, "eps14": energy, "sigma14": length}
    settings = {"inner": length, "cut": length}
    example = {"inner": 2.0}
    shiftable = False
    own_cutoffs = False
    alone: ClassVar[Portable] = bare  # of two atoms three bonds apart (one_four.py)
    dihedral: ClassVar[str] = "charmm"  # the style that weights them

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

    def one_four(self) -> OneFour:
        n = self.system.ntypes
        rows = {pair: self.table14(values["eps14"], values["sigma14"]) for pair, values in self.pairs.items()}
        fields = tuple(self.table14(1.0, 1.0))
        numbers = np.zeros((n + 1, n + 1, len(fields)))
        for (i, j), row in rows.items():
            numbers[i, j] = numbers[j, i] = list(row.values())
        return OneFour(type(self).alone, fields, numbers, self.data, self.dihedral)

    def table14(self, eps14: float, sigma14: float) -> dict[str, float]:
        """Parameters of the formula for atoms three bonds apart."""
        return LJCut.table(self, eps14, sigma14)  # type: ignore[arg-type]

    def other_numbers(self) -> tuple[float, ...]:
        """The square of the inner distance; coefficients of s, s^2, s^3 in 12 S - r dS/dr, 6 S - r dS/dr, and S."""
        inner2, width = self.setting["inner"] ** 2, self.setting["cut"] ** 2 - self.setting["inner"] ** 2
        fall, slope = np.array([0.0, -3.0 / width**2, 2.0 / width**3]), np.array([inner2 * width, width - inner2, -1.0])
        slope *= 12.0 / width**3
        return inner2, *(12.0 * fall + slope), *(6.0 * fall + slope), *fall

    @portable
    def pair(r2, p, data):
        ir = rsqrt(r2)
        return switched(r2, ir * ir, p, data)


@pair_style("lj/charmm/coul/long")
class LJCharmmCoulLong(Charmm, Long):
    """And C q_i q_j erfc(g r)/r for r < r_q; kspace_style has the rest and chooses g.

    pair_style lj/charmm/coul/long r_i r_o [r_q]          lengths; r_q is r_o if it is not given
    pair_coeff I J eps sigma [eps14 sigma14]              eps: energy, sigma: length
    """

    def pair_function(self) -> Portable:
        """With a reciprocal of its own where the Coulomb part needs no root."""
        return by_division if self.tabulated else super().pair_function()


@pair_style("lj/charmm/coul/msm")
class LJCharmmCoulMsm(Charmm, Msm):
    """And C q_i q_j [1/r - gamma(r/r_q)/r_q] for r < r_q; kspace_style msm has the rest.

    pair_style lj/charmm/coul/msm r_i r_o [r_q]
    pair_coeff I J eps sigma [eps14 sigma14]
    """


class Switched(Charmm):
    """Charges that are switched off too, between two distances of their own."""

    two_cutoffs = "all"

    def configure(self, args: list[str]) -> None:
        arguments(args, 2, 4, f"pair_style {self.name} inner outer [inner_coul outer_coul]")
        if len(args) == 3:
            raise InputError(f"pair style {self.name}: one distance for charges", "give both, or none")
        super().configure([*args[:2], *args[3:]])
        self.args, inner = list(args), number(args[2] if len(args) == 4 else args[0], "a distance")
        if not inner < self.charge_cutoff:
            raise InputError(f"pair style {self.name}: the inner distance of charges {inner:g} is not below the outer one",
                             "give the smaller one first")
        self.setting["inner_coul"] = inner

    def coulomb_numbers(self) -> tuple[float, ...]:
        return switch_numbers(self.setting["inner_coul"], self.charge_cutoff)


@pair_style("lj/charmm/coul/charmm")
class LJCharmmCoulCharmm(Switched):
    """And S_q(r) C q_i q_j / r for r < r_qo, where S_q goes from 1 to 0 between r_qi and r_qo.

    pair_style lj/charmm/coul/charmm r_i r_o [r_qi r_qo]  lengths; r_qi and r_qo are r_i and r_o if they are not given
    pair_coeff I J eps sigma [eps14 sigma14]
    """

    @portable
    def coulomb(r2, p, data):
        ir = rsqrt(r2)
        s, slope = switch(r2, lookup(data, 2.0), lookup(data, 3.0), lookup(data, 4.0))
        far = r2 > lookup(data, 2.0)
        return ir * ir * ir * where(far, s + slope, 1.0), ir * where(far, s, 1.0)


@pair_style("lj/charmm/coul/charmm/implicit")
class LJCharmmCoulCharmmImplicit(Switched):
    """And S_q(r) C q_i q_j / r^2 for r < r_qo: the dielectric constant grows with r, as in a solvent.

    pair_style lj/charmm/coul/charmm/implicit r_i r_o [r_qi r_qo]
    pair_coeff I J eps sigma [eps14 sigma14]
    """

    alone = in_a_solvent

    @portable
    def coulomb(r2, p, data):
        ir2 = 1.0 / r2
        s, slope = switch(r2, lookup(data, 2.0), lookup(data, 3.0), lookup(data, 4.0))
        far = r2 > lookup(data, 2.0)
        return ir2 * ir2 * where(far, 2.0 * s + slope, 2.0), ir2 * where(far, s, 1.0)

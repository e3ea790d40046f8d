"""Lennard-Jones 12-6 with the switch of GROMACS between two distances."""

from __future__ import annotations

from everlet.errors import InputError, arguments, number
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.inner import WithInner, ending
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import numbers
from everlet.portable import lookup, most, portable, sqrt


@pair_style("lj/gromacs")
class LJGromacs(WithInner):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] + C + A t^3/3 + B t^4/4 for r < r_c, with t = r - inner, or 0 below.

    pair_style lj/gromacs inner r_c             inner, r_c: length; E, its slope and its curvature are zero at r_c
    pair_coeff I J eps sigma [inner r_c]        eps: energy, sigma: length
    """

    coeffs = {"epsilon": energy, "sigma": length}
    shiftable = False

    def table(self, epsilon: float, sigma: float, inner: float, cut: float) -> Values:
        c, d = 4.0 * epsilon * sigma**12 / cut**12, 4.0 * epsilon * sigma**6 / cut**6
        a, b, constant = ending(c - d, (6.0 * d - 12.0 * c) / cut, (156.0 * c - 42.0 * d) / cut**2, cut - inner)
        return {**numbers(epsilon, sigma), "inner": inner, "t3": a, "t4": b, "constant": constant}

    @portable
    def pair(r2, p):
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        r = sqrt(r2)
        t = most(r - p.inner, 0.0)
        force = ir6 * (p.a * ir6 - p.b) * ir2 - t * t * (p.t3 + p.t4 * t) / r
        return force, ir6 * (p.c * ir6 - p.d) + p.constant + t * t * t * (p.t3 / 3.0 + p.t4 / 4.0 * t)


@pair_style("lj/gromacs/coul/gromacs")
class LJGromacsCoulGromacs(ChargedStyle, LJGromacs):
    """And C q_i q_j [1/r + c + a t^3/3 + b t^4/4] for r < r_q with the same switch: t = r - inner_q, or 0 below.

    pair_style lj/gromacs/coul/gromacs inner r_c [inner_q r_q]      inner_q, r_q: length; inner and r_c if they are not given
    pair_coeff I J eps sigma
    """

    two_cutoffs = "all"
    own_cutoffs = False

    def configure(self, args: list[str]) -> None:
        arguments(args, 2, 4, f"pair_style {self.name} inner outer [inner_coul outer_coul]")
        if len(args) == 3:
            raise InputError(f"pair style {self.name}: one distance for charges", "give both, or none")
        super().configure([*args[:2], *args[3:]])
        self.args, self.inner = list(args), number(args[-2], "a distance")
        if not (0.0 <= self.inner < self.charge_cutoff and 0.0 < self.setting["inner"] < self.setting["cut"]):
            raise InputError(f"pair style {self.name}: an inner distance is not below the outer one",
                             "give the smaller one first")

    def pair_cutoffs(self, given: list[float]) -> Values:
        return {name: self.setting[name] for name in ("inner", "cut", "cut_coul")}

    def coulomb_numbers(self) -> tuple[float, ...]:
        cut = self.charge_cutoff
        return self.inner, *ending(1.0 / cut, -1.0 / cut**2, 2.0 / cut**3, cut - self.inner)

    @portable
    def coulomb(r2, p, data):
        r = sqrt(r2)
        t = most(r - lookup(data, 2.0), 0.0)
        a, b = lookup(data, 3.0), lookup(data, 4.0)
        return (1.0 / r2 - t * t * (a + b * t)) / r, 1.0 / r + lookup(data, 5.0) + t * t * t * (a / 3.0 + b / 4.0 * t)

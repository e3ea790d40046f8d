"""Lennard-Jones 12-6 whose force is switched off between two distances, as later CHARMM force fields have it, and charges.

    r_i < r < r_o:  E = A r_o^6 (r^-6 - r_o^-6)^2 / (r_o^6 - r_i^6) - B r_o^3 (r^-3 - r_o^-3)^2 / (r_o^3 - r_i^3)
    r < r_i:        E = A (r^-12 - r_i^-6 r_o^-6) - B (r^-6 - r_i^-3 r_o^-3)              A = 4 eps sigma^12, B = 4 eps sigma^6
"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.one_four import lowered, lowered_with_shifted_force
from everlet.forces.pair.styles.lj_charmm import Charmm
from everlet.portable import lookup, portable, rsqrt, where

CONSTANT = 332.0716  # kcal Angstrom / mol, as CHARMM has it


class Fsw(Charmm):
    """The van der Waals part."""

    two_cutoffs = "all"
    alone = lowered
    dihedral = "charmmfsw"

    @property
    def qqr2e(self) -> float | None:  # type: ignore[override]
        return CONSTANT if self.system.units.name == "real" else None

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        if self.setting["inner"] <= 0.0:
            raise InputError(f"pair style {self.name}: the inner distance must be larger than 0", "change it in pair_style")

    def other_numbers(self) -> tuple[float, ...]:
        inner, outer = self.setting["inner"], self.setting["cut"]
        return (inner**2, outer**-3, outer**6 / (outer**6 - inner**6), outer**3 / (outer**3 - inner**3),
                (inner * outer) ** -6, (inner * outer) ** -3)

    def table14(self, eps14: float, sigma14: float) -> dict[str, float]:
        found, numbers = super().table14(eps14, sigma14), self.other_numbers()
        return found | {"shift": found["c"] * numbers[4] - found["d"] * numbers[5]}

    @portable
    def pair(r2, p, data):
        ir = rsqrt(r2)
        ir2 = ir * ir
        ir3 = ir * ir2
        ir6 = ir3 * ir3
        end3 = lookup(data, 7.0)
        far = r2 > lookup(data, 6.0)
        k12, k6 = lookup(data, 8.0), lookup(data, 9.0)
        d6, d3 = ir6 - end3 * end3, ir3 - end3
        pull = where(far, p.a * k12 * d6 * ir6 - p.b * k6 * d3 * ir3, ir6 * (p.a * ir6 - p.b))
        energy = where(far, p.c * k12 * d6 * d6 - p.d * k6 * d3 * d3,
                       p.c * (ir6 * ir6 - lookup(data, 10.0)) - p.d * (ir6 - lookup(data, 11.0)))
        return pull * ir2, energy


@pair_style("lj/charmmfsw/coul/long")
class LJCharmmfswCoulLong(Fsw, Long):
    """And C q_i q_j erfc(g r)/r for r < r_q; kspace_style has the rest and chooses g. In units real C is 332.0716.

    pair_style lj/charmmfsw/coul/long r_i r_o [r_q]       lengths; r_q is r_o if it is not given
    pair_coeff I J eps sigma [eps14 sigma14]              eps: energy, sigma: length
    """


@pair_style("lj/charmmfsw/coul/charmmfsh")
class LJCharmmfswCoulCharmmfsh(Fsw):
    """And C q_i q_j (1/r + r/r_q^2 - 2/r_q) for r < r_q. In units real C is 332.0716.

    pair_style lj/charmmfsw/coul/charmmfsh r_i r_o [r_q]
    pair_coeff I J eps sigma [eps14 sigma14]
    """

    alone = lowered_with_shifted_force

    def coulomb_numbers(self) -> tuple[float, ...]:
        return (1.0 / self.charge_cutoff,)

    @portable
    def coulomb(r2, p, data):
        ir, end = rsqrt(r2), lookup(data, 2.0)
        return (ir * ir - end * end) * ir, ir + r2 * ir * end * end - 2.0 * end

"""Lennard-Jones or Buckingham potentials whose dispersion -C/r^6, too, is summed over all images: a solver of kspace_style
has the far part of it, as of charges.

    -C/r^6 = -C/r^6 h(g r) - C/r^6 (1 - h(g r)),  h(x) = (1 + x^2 + x^4/2) exp(-x^2)

The first part is for pairs. Special pairs have the solver's part whole, and less of -C/r^6.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, one_of
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import nothing
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.formulas import Values, with_data
from everlet.forces.pair.styles.buck import Buck
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.portable import Portable, exp, lookup, portable, sqrt

BINOMIAL = (1.0, 6.0, 15.0, 20.0)


@portable
def near_dispersion(r2, c, g):
    """Force / r and energy of -C/r^6 h(g r)."""
    ir2 = 1.0 / r2
    x2 = g * g * r2
    gauss = exp(-x2)
    h = (1.0 + x2 + 0.5 * x2 * x2) * gauss
    energy = c * ir2 * ir2 * ir2
    return -energy * ir2 * (6.0 * h + x2 * x2 * x2 * gauss), -energy * h


@portable
def far_dispersion(r2, c, g):
    """The solver's part, -C/r^6 (1 - h(g r))."""
    ir2 = 1.0 / r2
    whole = c * ir2 * ir2 * ir2
    pull, energy = near_dispersion(r2, c, g)
    return 6.0 * whole * ir2 + pull, whole + energy


class Dispersive(Long):
    """What both have. `rest` is what special pairs have of the solver's part, which is of all pairs."""

    def configure(self, args: list[str]) -> None:
        arguments(args, 3, 4, f"pair_style {self.name} cut|long long|off cutoff [cutoff of charges]")
        self.far = one_of("flag of dispersion", args[0], ("cut", "long")) == "long"
        self.charges = one_of("flag of charges", args[1], ("long", "off")) == "long"
        super().configure(args[2:])
        self.args = list(args)
        if self.far:
            self.rest = self.of_solver

    of_solver: Portable

    @property
    def cut_coul(self) -> float:  # type: ignore[override]
        return self.charge_cutoff if self.charges else 0.0

    @property
    def charge_cutoff(self) -> float:
        return super().charge_cutoff if self.charges else 0.0

    @property
    def for_images(self) -> bool:  # type: ignore[override]
        return self.charges

    def init(self) -> None:
        if self.far and (self.shift or self.with_tail):
            raise InputError(f"pair style {self.name} with dispersion of all images has neither shift nor tail",
                             "use pair_modify shift no tail no")
        super().init()

    def need_solver(self) -> None:
        super().need_solver()
        if self.far and (self.system.pair is not self or not self.system.kspace.disperses):
            raise InputError(f"pair style {self.name} leaves the far part of dispersion to a solver that has none",
                             "use kspace_style ewald/disp or pppm/disp, and no hybrid style; or flag cut in place of long")

    def other_numbers(self) -> tuple[float, ...]:
        solver = self.system.kspace
        return (solver.g_disp if self.far and solver is not None and solver.disperses else 0.0,)

    def coulomb_function(self, precision: str) -> Portable:
        return super().coulomb_function(precision) if self.charges else nothing

    def pair_function(self) -> Portable:
        return with_data(self.far_pair) if self.far else super().pair_function()

    far_pair: Portable

    def strengths(self, name: str) -> np.ndarray:
        """A coefficient of each type with itself."""
        kinds = range(1, self.system.ntypes + 1)
        missing = [k for k in kinds if (k, k) not in self.explicit]
        if missing:
            raise InputError(f"no pair_coeff for types {missing[0]} {missing[0]}", "give one for each type with itself")
        return np.array([0.0, *(self.explicit[k, k][name] for k in kinds)])


@pair_style("lj/long/coul/long")
class LJLongCoulLong(Dispersive, LJCut):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < r_c, or with flag long -(sigma/r)^6 of all images, and
    C q_i q_j erfc(g r)/r for r < r_q; kspace_style ewald/disp or pppm/disp has the rest and chooses g.

    pair_style lj/long/coul/long cut|long long|off r_c [r_q]       of dispersion and of charges; r_q is r_c if it is not given
    pair_coeff I J eps sigma [r_c]                                 eps: energy, sigma: length
    """

    def dispersion(self, mix: str = "pair") -> list[tuple[float, np.ndarray]]:
        """4 eps_ij sigma_ij^6: one product if mixed geometrically; if arithmetically, a sum of products s^m s^(6-m), which are
        differences of squares."""
        if not self.far:
            return []
        root, sigma = np.sqrt(np.abs(self.strengths("epsilon"))), self.strengths("sigma")
        if mix == "geom" or self.mix_rule == "geometric":
            return [(4.0, root * sigma**3)]
        if self.mix_rule != "arithmetic":
            raise InputError(f"pair style {self.name}: dispersion of types that are mixed by the rule {self.mix_rule} is no "
                             "sum of products", "use pair_modify mix geometric or arithmetic")
        found = [(BINOMIAL[3] / 16.0, root * sigma**3)]
        for m, times in enumerate(BINOMIAL[:3]):
            a, b = root * sigma**m, root * sigma ** (6 - m)
            found += [(times / 32.0, a + b), (-times / 32.0, a - b)]
        return found

    @portable
    def far_pair(r2, p, data):
        ir2 = 1.0 / r2
        repulsion = p.c * ir2 * ir2 * ir2 * ir2 * ir2 * ir2
        pull, energy = near_dispersion(r2, p.d, lookup(data, 6.0))
        return 12.0 * repulsion * ir2 + pull, repulsion + energy

    @portable
    def of_solver(r2, p, data):
        return far_dispersion(r2, p.d, lookup(data, 6.0))


@pair_style("buck/long/coul/long")
class BuckLongCoulLong(Dispersive, Buck):
    """E = A exp(-r/rho) - C/r^6 for r < r_c, or with flag long -C/r^6 of all images, and C q_i q_j erfc(g r)/r for r < r_q;
    kspace_style ewald/disp or pppm/disp has the rest and chooses g. The solver's part of unlike types has the geometric mean
    of C. With flag long all pairs end at r_c, whatever pair_coeff says.

    pair_style buck/long/coul/long cut|long long|off r_c [r_q]
    pair_coeff I J A rho C [r_c]                                   A: energy, rho: length, C: energy length^6
    """

    mixable = False

    def pair_cutoffs(self, given: list[float]) -> Values:
        return super().pair_cutoffs([] if self.far else given)

    def dispersion(self, mix: str = "pair") -> list[tuple[float, np.ndarray]]:
        return [(1.0, np.sqrt(np.abs(self.strengths("c"))))] if self.far else []

    @portable
    def far_pair(r2, p, data):
        r = sqrt(r2)
        x = exp(-r * p.inverse)
        pull, energy = near_dispersion(r2, p.c, lookup(data, 6.0))
        return p.fa * x / r + pull, p.a * x + energy

    @portable
    def of_solver(r2, p, data):
        return far_dispersion(r2, p.c, lookup(data, 6.0))

"""Coulomb parts of pair styles: g(r), the energy of two charges with C q_i q_j = 1. A style is one of these and, if it has a
van der Waals part too, a pair style without charges after it.

    Cut      1/r                                     Debye   exp(-kappa r)/r
    Damped   erfc(alpha r)/r - e - f r               Wolf    erfc(alpha r)/r - e
    Long     erfc(g r)/r, the rest is a long-range solver's
    Msm      1/r - gamma(r/a)/a, the rest is that of multilevel summation
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from everlet.errors import InputError, integer
from everlet.forces.kspace.splitting import gamma_powers
from everlet.forces.pair.charged import ChargedParameters, ChargedStyle
from everlet.forces.pair.erfc import screened
from everlet.forces.pair.quantities import inverse_length, length
from everlet.forces.pair.splitting import by_octaves, by_reference, near_part, octave_tables
from everlet.neighbor.ahead import narrow
from everlet.portable import Portable, Space, erfc, exp, lookup, portable, rsqrt, sqrt
from everlet.portable.language.functions import written


class Cut(ChargedStyle):
    """C q_i q_j / r for r < r_q."""

    two_cutoffs = "pair"

    @portable
    def coulomb(r2, p):
        ir = rsqrt(r2)
        return ir * ir * ir, ir


class Debye(ChargedStyle):
    """C q_i q_j exp(-kappa r) / r for r < r_q."""

    settings = {"kappa": inverse_length, "cut": length}
    two_cutoffs = "pair"

    def coulomb_numbers(self) -> tuple[float, ...]:
        return (self.setting["kappa"],)

    @portable
    def coulomb(r2, p, data):
        r = sqrt(r2)
        ir = 1.0 / r
        screened = exp(-lookup(data, 2.0) * r) * ir
        return screened * (lookup(data, 2.0) + ir) * ir, screened


def shifts(alpha: float, cut: float) -> tuple[float, float]:
    """e and f for which erfc(alpha r)/r - e - f r has neither energy nor slope at the cutoff."""
    if cut <= 0.0:
        return 0.0, 0.0
    end = math.erfc(alpha * cut)
    f = -(end / cut**2 + 2.0 * alpha / math.sqrt(math.pi) * math.exp(-((alpha * cut) ** 2)) / cut)
    return end / cut - f * cut, f


class Damped(ChargedStyle):
    """C q_i q_j [erfc(alpha r)/r - e - f r] for r < r_q, with e and f such that force and energy end at zero there, and
    -C q_i^2 (e/2 + alpha/sqrt(pi)) for every atom: its charge with itself, and with the opposite charges on the sphere
    around it.
    """

    settings = {"alpha": inverse_length, "cut": length}
    example = {"alpha": 0.8}
    two_cutoffs = "all"
    for_images = True

    def shifts(self) -> tuple[float, float]:
        """e and f."""
        return shifts(self.setting["alpha"], self.charge_cutoff)

    def coulomb_numbers(self) -> tuple[float, ...]:
        alpha = self.setting["alpha"]
        return alpha, 2.0 * alpha / math.sqrt(math.pi), *self.shifts()

    def self_energy(self) -> float:
        return -(self.shifts()[0] / 2.0 + self.setting["alpha"] / math.sqrt(math.pi))

    @portable
    def coulomb(r2, p, data):
        r, ir, _, gauss, tail = screened(r2, lookup(data, 2.0))
        damped = tail * ir
        slope = lookup(data, 5.0)
        return ((damped + lookup(data, 3.0) * gauss + r * slope) * ir * ir, damped - lookup(data, 4.0) - r * slope)


class ExactlyDamped(Damped):
    """With the exact erfc."""

    @portable
    def coulomb(r2, p, data):
        r = sqrt(r2)
        ir = 1.0 / r
        x = lookup(data, 2.0) * r
        damped, slope = erfc(x) * ir, lookup(data, 5.0)
        return ((damped + lookup(data, 3.0) * exp(-x * x) + r * slope) * ir * ir, damped - lookup(data, 4.0) - r * slope)


class Wolf(ExactlyDamped):
    """The same without the force: C q_i q_j [erfc(alpha r)/r - e] for r < r_q, e = erfc(alpha r_q)/r_q. The force is the slope
    of this energy, and jumps at the cutoff."""

    def shifts(self) -> tuple[float, float]:
        cut = self.charge_cutoff
        return (math.erfc(self.setting["alpha"] * cut) / cut if cut > 0.0 else 0.0), 0.0


class NearPart(ChargedStyle):
    """The near part of Coulomb energies, the same for all pairs of types; a solver has the rest."""

    two_cutoffs = "all"
    for_images = True

    @property
    def cut_coul(self) -> float:  # type: ignore[override]
        return self.charge_cutoff

    def numbers(self, space: Space, precision: str) -> ChargedParameters:
        self.need_solver()
        return super().numbers(space, precision)

    def write(self, args: list[str]) -> str:
        self.need_solver()
        return super().write(args)

    def need_solver(self) -> None:
        """Refuses to go without the solver that has the rest."""
        raise NotImplementedError


class Long(NearPart):
    """C q_i q_j erfc(g r)/r for r < r_q, the same for all pairs of types; the long-range solver chooses g and has the rest.

    pair_modify table 0: erfc by the reference's own polynomial, whose error is 1e-7. Otherwise it is exact, with no tables.
    """

    table_bits = 12

    def _modify(self, key: str, value: str) -> None:
        if key == "table":
            self.table_bits = integer(value, "a number of bits after table")
        else:
            super()._modify(key, value)

    @property
    def g(self) -> float:
        """The solver's."""
        return self.system.kspace.g if self.system.kspace is not None else 0.0

    @property
    def tabulated(self) -> bool:
        """One look-up is the fastest way."""
        return bool(self.table_bits) and narrow(self.system.space) and self.system.precision == "double" and self.cut_coul > 0.0

    def coulomb_numbers(self) -> tuple[float, ...]:
        if not self.tabulated:
            return (self.g,)
        first = 6 + len(self.other_numbers())
        return self.g, first, first + len(self.tables()[0])

    def tables(self) -> tuple[np.ndarray, ...]:
        return octave_tables(self.g, self.cut_coul) if self.tabulated else ()

    def coulomb_function(self, precision: str) -> Portable:
        return self.near(precision) if self.table_bits else by_reference

    def near(self, precision: str) -> Portable:
        """By the exact erfc."""
        return by_octaves if self.tabulated and precision == "double" else near_part(self.g, self.cut_coul, precision)

    def need_solver(self) -> None:
        if self.system.kspace is None:
            raise InputError(f"pair style {self.name} has the near part of Coulomb energies alone, and nobody has the rest",
                             "use kspace_style, for example: kspace_style pppm 1e-4")
        if self.system.kspace.multilevel:
            raise InputError(f"pair style {self.name} does not go with kspace_style {self.system.kspace.name}",
                             "use a pair style whose name ends with msm, or kspace_style pppm")

    def state(self) -> dict[str, Any]:
        return super().state() | {"table": self.table_bits}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.table_bits = state["table"]


@functools.cache
def multilevel(order: int) -> Portable:
    """1/r - gamma(r/a)/a: force / r and energy, by the powers of gamma (kspace/splitting.py); data[2] is 1/a."""
    powers = [float(number) for number in gamma_powers(order)]
    value, slope = repr(powers[-1]), repr((len(powers) - 1) * powers[-1])
    for k in range(len(powers) - 2, -1, -1):
        value = f"({value}) * u + {powers[k]!r}"
        slope = f"({slope}) * u + {k * powers[k]!r}" if k else slope
    source = (f"def near(r2, p, data):\n    ir = rsqrt(r2)\n    ia = lookup(data, 2.0)\n    u = r2 * ia * ia\n"
              f"    return ir * ir * ir + 2.0 * ia * ia * ia * ({slope}), ir - ia * ({value})\n")
    return written(source, f"multilevel summation of order {order}")


class Msm(NearPart):
    """C q_i q_j [1/r - gamma(r/r_q)/r_q] for r < r_q, the same for all pairs of types; kspace_style msm has the rest, and may
    choose r_q (kspace_modify cutoff/adjust)."""

    def coulomb_numbers(self) -> tuple[float, ...]:
        return (1.0 / self.charge_cutoff,)

    def coulomb_function(self, precision: str) -> Portable:
        return multilevel(self.system.kspace.order)

    def need_solver(self) -> None:
        if self.system.kspace is None or not self.system.kspace.multilevel:
            raise InputError(f"pair style {self.name} has the near part of multilevel summation", "use kspace_style msm")

"""Potentials times a polynomial that takes them to zero between two distances: styles whose name ends in mdf."""

from __future__ import annotations

import functools

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values, with_data
from everlet.forces.pair.inner import WithInner
from everlet.forces.pair.quantities import energy_length6, energy_length12
from everlet.forces.pair.styles.buck import Buck
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.portable import Portable, most, portable, sqrt


@functools.cache
def tapered(bare: Portable) -> Portable:
    """Force / r and energy of E T from those of E: T = (1 - x)^3 (1 + 3 x + 6 x^2), x = (r - inner) / (r_c - inner), or 0."""

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        x = most((r - p.inner) * p.steepness, 0.0)
        left = 1.0 - x
        taper = left * left * left * (1.0 + 3.0 * x + 6.0 * x * x)
        force, energy = bare(r2, p)
        return force * taper + energy * (30.0 * p.steepness) * x * x * left * left / r, energy * taper

    return pair


class Tapered(WithInner):
    shiftable = False

    def parameters(self, values: Values) -> Values:
        steepness = 1.0 / (values["cut"] - values["inner"])
        return {**super().parameters(values), "inner": values["inner"], "steepness": steepness}

    def pair_function(self) -> Portable:
        assert self.pair is not None
        return with_data(tapered(self.pair))


@pair_style("lj/mdf")
class LJMdf(Tapered, LJCut):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] T(r) for r < r_c.

    pair_style lj/mdf inner r_c                 inner, r_c: length
    pair_coeff I J eps sigma [inner r_c]        eps: energy, sigma: length
    """

    tail = None  # type: ignore[assignment]


@pair_style("buck/mdf")
class BuckMdf(Tapered, Buck):
    """E = [A exp(-r/rho) - C/r^6] T(r) for r < r_c.

    pair_style buck/mdf inner r_c               inner, r_c: length
    pair_coeff I J A rho C [inner r_c]          A: energy, rho: length, C: energy length^6
    """

    tail = None  # type: ignore[assignment]


@pair_style("lennard/mdf")
class LennardMdf(Tapered):
    """E = (A/r^12 - B/r^6) T(r) for r < r_c.

    pair_style lennard/mdf inner r_c            inner, r_c: length
    pair_coeff I J A B [inner r_c]              A: energy length^12, B: energy length^6
    """

    coeffs = {"A": energy_length12, "B": energy_length6}
    pair = LJCut.pair

    def table(self, A: float, B: float) -> Values:
        return {"a": 12.0 * A, "b": 6.0 * B, "c": A, "d": B}

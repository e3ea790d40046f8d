"""Buckingham potential without the pole of its dispersion, and Gaussian charges, as the force field MOF-FF has them.

    E = S(r; s r_c, r_c) [A exp(-kappa r) - C/r^6 / (1 + D/r^14)] for r < r_c
    S(r; a, b) = 1 - 10 x^3 + 15 x^4 - 6 x^5, x = (r - a)/(b - a), or 1 for r < a
"""

from __future__ import annotations

import functools
import math

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle, without
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.gaussians import GAUSSIANS, overlap
from everlet.forces.pair.one_four import OneFour
from everlet.forces.pair.quantities import energy, energy_length6, inverse_length, length, number
from everlet.portable import Portable, exp, lookup, most, portable, sqrt, where


@portable
def smoothed(r, pull, energy, begin, steep):
    """Force / r and energy with S, from those without; steep: 1/(b - a), or 0."""
    x = most((r - begin) * steep, 0.0)
    s = 1.0 - x * x * x * (10.0 - x * (15.0 - 6.0 * x))
    slope = 30.0 * x * x * (1.0 - x) * (1.0 - x) * steep
    return pull * s + energy * slope / r, energy * s


def ends(begin: float, cut: float) -> tuple[float, float]:
    """Where S begins to fall, and 1/(b - a): from the first as a part of the cutoff; 1 or more: no S."""
    return begin * cut, 1.0 / (cut * (1.0 - begin)) if begin < 1.0 and cut > 0.0 else 0.0


@functools.cache
def ending(near: Portable) -> Portable:
    """The Coulomb part with S."""

    @portable
    def ended(r2, p, data):
        pull, potential = near(r2, p, data)
        return smoothed(sqrt(r2), pull, potential, lookup(data, 6.0), lookup(data, 7.0))

    return ended


class Buck6d(ChargedStyle):
    """The van der Waals part."""

    coeffs = {"a": energy, "kappa": inverse_length, "c": energy_length6, "d": number, "alpha": inverse_length}
    settings = {"smooth": number, "cut": length}
    two_cutoffs = "all"
    mixable = shiftable = False

    def table(self, a: float, kappa: float, c: float, d: float, alpha: float, cut: float) -> Values:
        begin, steep = ends(self.setting["smooth"], cut)
        return {"a": a, "kappa": kappa, "c": c, "d": d, "alpha": alpha, "begin": begin, "steep": steep}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        damp = p.d * ir6 * ir6 * ir2
        near, far = p.a * exp(-p.kappa * r), p.c * ir6 / (1.0 + damp)
        return smoothed(r, p.kappa * near / r - far * (6.0 - 14.0 * damp / (1.0 + damp)) * ir2, near - far, p.begin, p.steep)


    def one_three(self) -> OneFour:
        """All of it, up to its cutoff."""
        numbers = np.zeros((*self.cutoffs.shape, len(self.fields) + 1))
        for (i, j), values in self.pairs.items():
            numbers[i, j] = numbers[j, i] = [*self.parameters(values).values(), values["cut"] ** 2]
        return OneFour(within, (*self.fields, "reach2"), numbers, np.zeros(1), angles=("cosine/buck6d",), counts="vdwl")


buck6d = Buck6d.pair


@portable
def within(r2, p, data, q_i, q_j):
    strength, energy = buck6d(r2, p)
    near = r2 < p.reach2
    return where(near, strength, 0.0), where(near, energy, 0.0), 0.0 * r2, 0.0 * r2


@pair_style("buck6d/coul/gauss/dsf")
class Buck6dCoulGaussDsf(Buck6d):
    """And C q_i q_j [erf(alpha r)/r - e - f (r_q - r)] for r < r_q, with e and f such that force and energy end at zero there.
    Special pairs have less of C q_i q_j / r; those with weights 0 have nothing, as in the reference.

    pair_style buck6d/coul/gauss/dsf s r_c [r_q]       s: part of r_c, r_c, r_q: length; r_q is r_c if it is not given
    pair_coeff I J A kappa C D alpha [r_c]             A: energy, kappa, alpha: 1/length, C: energy length^6, D: length^14
    """

    for_images = leaves_out = True

    def parameters(self, values: Values) -> Values:
        cut, alpha = self.charge_cutoff, values["alpha"]
        end = math.erf(alpha * cut) / cut if cut > 0.0 else 0.0
        slope = (end - 2.0 * alpha / math.sqrt(math.pi) * math.exp(-((alpha * cut) ** 2))) / cut if cut > 0.0 else 0.0
        return super().parameters(values) | {"end": end + slope * cut, "slope": slope}

    @portable
    def coulomb(r2, p, data):
        pull, potential = GAUSSIANS(r2, p, data)
        r = sqrt(r2)
        return pull - p.slope / r, potential - p.end + p.slope * r


@pair_style("buck6d/coul/gauss/long")
class Buck6dCoulGaussLong(Buck6d, Long):
    """And S(r; t r_q, r_q) C q_i q_j [erf(alpha r) - erf(g r)]/r for r < r_q, with the exact erf; kspace_style has the rest and
    chooses g. Special pairs have less of C q_i q_j erf(alpha r)/r. (The reference's forces of these are not the slope of their
    energy where S falls.)

    pair_style buck6d/coul/gauss/long s t r_c [r_q]    s, t: parts of r_c and r_q; 1: no S
    pair_coeff I J A kappa C D alpha [r_c]
    """

    settings = {"smooth": number, "smooth_coul": number, "cut": length}
    bare = GAUSSIANS

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        if self.setting["smooth_coul"] < 0.0 or self.setting["smooth"] < 0.0:
            raise InputError(f"pair style {self.name}: parts of cutoffs must be positive", "1 is for no smoothing")

    def other_numbers(self) -> tuple[float, ...]:
        return ends(self.setting["smooth_coul"], self.charge_cutoff)

    def coulomb_function(self, precision: str) -> Portable:
        return ending(without(self.near(precision), overlap))

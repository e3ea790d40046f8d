"""Soft cores: a parameter lambda of each pair of types takes an interaction away on a path without poles, lambda 1 … 0.

    charges    lambda^n C q_i q_j / sqrt(alpha_c (1 - lambda)^2 + r^2)        in place of C q_i q_j / r

Pairs of unlike types are mixed if both have the same lambda. In scripts, for fix adapt, the coefficient is `lambda`.
"""

from __future__ import annotations

import functools

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.quantities import Quantity, number
from everlet.portable import Portable, portable, rsqrt, sqrt

path = Quantity("number", "same")  # lambda


def softening(lamda: float, n: float, alpha: float) -> tuple[float, float]:
    """lambda^n and alpha (1 - lambda)^2."""
    if not 0.0 <= lamda <= 1.0:
        raise InputError(f"lambda must be from 0 to 1, found {lamda:g}", "change it in pair_coeff")
    return lamda**n, alpha * (1.0 - lamda) ** 2


class SoftCharges(ChargedStyle):
    """Parameters of the Coulomb part, and the bare one."""

    coeffs = {"lamda": path}
    settings = {"n": number, "alpha_c": number, "cut": ChargedStyle.settings["cut"]}
    other_names = {"lambda": "lamda"}

    def parameters(self, values: dict[str, float]) -> dict[str, float]:
        scale, away = softening(values["lamda"], self.setting["n"], self.setting["alpha_c"])
        other = super().parameters(values) if self.table is not None else {}
        return other | {"scale": scale, "away": away}

    @portable
    def coulomb(r2, p, data):
        ir = rsqrt(r2 + p.away)
        return p.scale * ir * ir * ir, p.scale * ir

    bare = coulomb


class SoftCut(SoftCharges):
    """C q_i q_j lambda^n / sqrt(alpha_c (1 - lambda)^2 + r^2) for r < r_q."""

    two_cutoffs = "pair"


@functools.cache
def softly(near: Portable) -> Portable:
    """Of the near part of 1/r, force / r and energy, those of lambda^n erfc(g r) / sqrt(alpha_c (1 - lambda)^2 + r^2)."""

    @portable
    def softened(r2, p, data):
        pull, potential = near(r2, p, data)
        r = sqrt(r2)
        ir = rsqrt(r2 + p.away)
        tail = potential * r
        return p.scale * ir * (tail * ir * ir + (pull - potential / r2) * r), p.scale * ir * tail

    return softened


class SoftLong(SoftCharges, Long):
    """C q_i q_j lambda^n erfc(g r) / sqrt(alpha_c (1 - lambda)^2 + r^2) for r < r_q. The solver has erf(g r)/r of all charges:
    it knows no lambda. (The forces of the reference are not the slope of this energy unless lambda is 1; these are.)"""

    def coulomb_function(self, precision: str) -> Portable:
        return softly(Long.coulomb_function(self, precision))


CUT = """And C q_i q_j lambda^n / sqrt(alpha_c (1 - lambda)^2 + r^2) for r < r_q.

    pair_style {name} n alpha_lj alpha_c r_c [r_q]       alpha_c: length^2; r_q is r_c if it is not given
    pair_coeff I J eps sigma lambda [r_c [r_q]]
    """
LONG = """And C q_i q_j lambda^n erfc(g r) / sqrt(alpha_c (1 - lambda)^2 + r^2) for r < r_q; kspace_style has the rest, of whole
    charges. (The reference's forces of charges are not the slope of this energy unless lambda is 1.)

    pair_style {name} n alpha_lj alpha_c r_c [r_q]
    pair_coeff I J eps sigma lambda [r_c]
    """


def with_soft_charges(family: str, plain: type[PairStyle]) -> None:
    """Registers the styles of a family that are a plain soft core with charges that have one too."""
    settings = {"n": number, "alpha_lj": number, "alpha_c": number, "cut": plain.settings["cut"]}
    for charges, name, text in ((SoftCut, f"{family}/coul/cut/soft", CUT), (SoftLong, f"{family}/coul/long/soft", LONG)):
        parts = {"coeffs": plain.coeffs, "settings": settings, "__module__": plain.__module__,
                 "__doc__": text.format(name=name)}
        pair_style(name)(type("".join(word.title() for word in name.split("/")), (charges, plain), parts))

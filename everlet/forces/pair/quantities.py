"""Kinds of coefficients: what a number on a pair_coeff line means, and how two of them are mixed unless told otherwise.

    mix "energy"     sqrt(e1 e2), with the sixthpower correction by the style's first length
    mix "length"     by the rule of pair_modify mix
    mix None         no sensible rule: a style with such a coefficient needs every pair_coeff
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    name: str
    mix: str | None = None


energy = Quantity("energy", "energy")
length = Quantity("length", "length")
inverse_length = Quantity("1/length")
inverse_area = Quantity("1/length^2")
energy_length = Quantity("energy length")
energy_length6 = Quantity("energy length^6")
energy_length8 = Quantity("energy length^8")
number = Quantity("number")

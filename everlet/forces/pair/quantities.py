"""Kinds of coefficients: what a number on a pair_coeff line means, and how two of them are mixed unless told otherwise.

    mix "energy"     sqrt(e1 e2), with the sixthpower correction by the style's first length
    mix "length"     by the rule of pair_modify mix
    mix None         no sensible rule: a style with such a coefficient needs every pair_coeff
    words            it is not a number but one of these; kept as its place among them
"""

from __future__ import annotations

from dataclasses import dataclass

from everlet.errors import number as read_number
from everlet.errors import one_of
from everlet.state.text import shortest


@dataclass(frozen=True)
class Quantity:
    name: str
    mix: str | None = None
    words: tuple[str, ...] = ()

    def read(self, word: str, name: str) -> float:
        return float(self.words.index(one_of(name, word, self.words))) if self.words else read_number(word, name)

    def written(self, value: float) -> str:
        return self.words[int(value)] if self.words else shortest(value)


energy = Quantity("energy", "energy")
length = Quantity("length", "length")
inverse_length, inverse_area, inverse_length6 = (Quantity(f"1/length{to}") for to in ("", "^2", "^6"))
energy_per_length, energy_area = (Quantity(f"energy/length{to}") for to in ("", "^2"))
energy_length, energy_length4, energy_length6, energy_length8, energy_length12 = (
    Quantity(f"energy length{to}") for to in ("", "^4", "^6", "^8", "^12"))
power = Quantity("power")
number = Quantity("number")

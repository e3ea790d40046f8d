"""Styles that change their course between two distances of each pair of types: `inner` and the cutoff."""

from __future__ import annotations

from typing import ClassVar

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import Quantity, length


class WithInner(PairStyle):
    """pair_style NAME inner outer, pair_coeff I J … [inner outer]; lengths, 0 < inner < outer. Both are mixed."""

    settings: ClassVar[dict[str, Quantity]] = {"inner": length, "cut": length}
    example: ClassVar[Values] = {"inner": 1.5}

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        for values in self.explicit.values():
            values["inner"] = self.setting["inner"]

    @property
    def cut_words(self) -> tuple[str, ...]:
        return "inner", "cut"

    def pair_cutoffs(self, given: list[float]) -> Values:
        if len(given) == 1:
            raise InputError(f"pair style {self.name} has two distances in pair_coeff, or none", "give both: inner outer")
        inner, cut = given or (self.setting["inner"], self.setting["cut"])
        if not 0.0 < inner < cut:
            raise InputError(f"pair style {self.name}: the inner distance {inner:g} is not between 0 and the outer one {cut:g}",
                             "give 0 < inner < outer")
        return {"inner": inner, "cut": cut}


def ending(e0: float, e1: float, e2: float, wide: float) -> tuple[float, float, float]:
    """a, b, c so that c + a t^3/3 + b t^4/4 and its first two derivatives at t = wide are -e0, -e1, -e2."""
    a, b = (-3.0 * e1 + wide * e2) / wide**2, (2.0 * e1 - wide * e2) / wide**3
    return a, b, -e0 + wide * e1 / 2.0 - wide**2 * e2 / 12.0

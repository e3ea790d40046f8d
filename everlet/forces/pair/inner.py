"""Styles that change their course at other distances before the cutoff, for each pair of types."""

from __future__ import annotations

from typing import ClassVar

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import Quantity, length


class WithInner(PairStyle):
    """pair_style NAME inner outer, pair_coeff I J … [inner outer]; lengths, each longer than the one before. All are mixed.

    Others than these two: the names of `settings`, of which the last is `cut`.
    """

    settings: ClassVar[dict[str, Quantity]] = {"inner": length, "cut": length}
    example: ClassVar[Values] = {"inner": 1.5}

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        for values in self.explicit.values():
            values |= self.setting

    @property
    def cut_words(self) -> tuple[str, ...]:
        return tuple(self.settings)

    def pair_cutoffs(self, given: list[float]) -> Values:
        names = list(self.settings)
        if given and len(given) < len(names):
            raise InputError(f"pair style {self.name} has {len(names)} distances in pair_coeff, or none",
                             f"give {', '.join(names)}")
        found = dict(zip(names, given, strict=True)) if given else dict(self.setting)
        if not self.ordered(list(found.values())):
            raise InputError(f"pair style {self.name}: {', '.join(f'{value:g}' for value in found.values())} are not its "
                             f"distances {', '.join(names)}", "give them in order, each longer than the one before")
        return found

    @staticmethod
    def ordered(distances: list[float]) -> bool:
        return all(a < b for a, b in zip([0.0, *distances], distances, strict=False))


def ending(e0: float, e1: float, e2: float, wide: float) -> tuple[float, float, float]:
    """a, b, c so that c + a t^3/3 + b t^4/4 and its first two derivatives at t = wide are -e0, -e1, -e2."""
    a, b = (-3.0 * e1 + wide * e2) / wide**2, (2.0 * e1 - wide * e2) / wide**3
    return a, b, -e0 + wide * e1 / 2.0 - wide**2 * e2 / 12.0

"""Grains by models of each part of a contact."""

from __future__ import annotations

import math

from everlet.errors import InputError, arguments
from everlet.forces.granular import models, whole, words
from everlet.forces.granular.base import LABELS, GranularStyle
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import Quantity


@pair_style("granular")
class Granular(GranularStyle):
    """pair_style granular; pair_coeff I J NORMAL … tangential MODEL … [damping WORD] [rolling …] [twisting …] [limit_damping]

    NORMAL hooke K ETA, hertz K ETA, hertz/material E ETA NU, dmt or jkr E ETA NU GAMMA; damping velocity, mass_velocity,
    viscoelastic (the default), tsuji or coeff_restitution, of which ETA is the coefficient; tangential linear_nohistory XT MU,
    linear_history KT XT MU, mindlin KT|NULL XT MU, mindlin/force, mindlin_rescale, mindlin_rescale/force; rolling none or
    sds K G MU; twisting none, marshall, or sds K G MU. Forces: models.py and whole.py; K, E, KT in units of the script.
    Unlike types of the same models are mixed: moduli are those of a contact of both, others geometric means.

    What contacts remember of rolling and twisting is the same from both sides. The reference turns its sign where lists are
    built anew with both grains in the other order (until its update 4); here it stays.
    """

    mixable, counts_mixed = True, False
    coeffs = dict.fromkeys((*words.NUMBERS, *words.CHOSEN), Quantity("number", "same"))
    touch, history = models.granular, 3

    def configure(self, args: list[str]) -> None:
        if args:
            raise InputError(f"pair_style granular {args[0]}: cutoffs follow from radii", "leave it out")
        self.args, self.setting = [], {}

    def coeff(self, args: list[str]) -> None:
        arguments(args, 4, None, f"pair_coeff I J {words.USAGE}")
        values, rest = words.read(args[2:])
        if rest:
            raise InputError(f"pair_coeff of granular: unknown word '{rest[0]}'", f"usage: {words.USAGE}")
        for pair in self.type_pairs(args[0], args[1]):
            self.explicit[pair] = values

    def mix(self, a: Values, b: Values) -> Values:
        return words.mixed(a, b)

    def parameters(self, values: Values) -> Values:
        return words.numbers(values, self.history > 3)

    def init(self) -> None:
        more = any(words.whole(values) for values in self.explicit.values())
        self.touch, self.history, self.label = (whole.granular, 8, LABELS[1]) if more else (models.granular, 3, LABELS[0])
        super().init()

    def farthest(self, radius: float) -> float:
        """Of jkr, of the largest grains."""
        grips = (self.parameters(values).get("grip", 0.0) for values in self.pairs.values())
        return max(grips) * math.cbrt(0.5 * radius)

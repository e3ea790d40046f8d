"""Grains by models of each part of a contact."""

from __future__ import annotations

from everlet.errors import InputError, arguments
from everlet.forces.granular import models, words
from everlet.forces.granular.base import GranularStyle
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import Quantity

NAMES = "k eta young nu gamma kt xt mu limit mixed normal damping tangential"


@pair_style("granular")
class Granular(GranularStyle):
    """pair_style granular; pair_coeff I J NORMAL … [damping WORD] [tangential MODEL …] [limit_damping]

    NORMAL hooke K ETA, hertz K ETA, hertz/material E ETA NU, dmt E ETA NU GAMMA; damping velocity, mass_velocity, viscoelastic
    (the default), tsuji or coeff_restitution, of which ETA is the coefficient; tangential linear_nohistory XT MU,
    linear_history KT XT MU, mindlin KT|NULL XT MU, mindlin/force. Forces: models.py; K, E, KT in units of the script. Unlike
    types of the same models are mixed: moduli are those of a contact of both, others geometric means.
    """

    mixable, counts_mixed = True, False
    coeffs = dict.fromkeys(NAMES.split(), Quantity("number", "same"))
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
        return words.numbers(values)

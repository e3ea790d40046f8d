"""Grains that push each other by Hooke's or Hertz's law, with friction."""

from __future__ import annotations

from everlet.errors import InputError, arguments, number
from everlet.forces.granular import physics
from everlet.forces.granular.base import GranularStyle
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values


def coefficients(user: str, args: list[str], pressure: float) -> Values:
    """Numbers of the law from KN KT GN GT MU DAMPFLAG [limit_damping]; stiffnesses are divided by `pressure`."""
    arguments(args, 6, 7, f"{user} KN KT GN GT MU DAMPFLAG [limit_damping]")
    if args[6:] not in ([], ["limit_damping"]):
        raise InputError(f"{user}: unknown word '{args[6]}'", "use limit_damping, or leave it out")
    if args[5] not in ("0", "1"):
        raise InputError(f"{user}: DAMPFLAG {args[5]}", "give 0 or 1")
    kn, gn, mu = (number(args[k], what) for k, what in ((0, "KN"), (2, "GN"), (4, "MU")))
    kt = kn * 2.0 / 7.0 if args[1] == "NULL" else number(args[1], "KT")
    gt = 0.5 * gn if args[3] == "NULL" else number(args[3], "GT")
    if min(kn, kt, gn, gt, mu) < 0.0 or mu > 10000.0:
        raise InputError(f"{user}: {' '.join(args)}", "give numbers of 0 or more")
    return {"kn": kn / pressure, "kt": kt / pressure, "gn": gn, "gt": gt * (args[5] == "1"), "mu": mu,
            "limit": float(len(args) == 7)}


@pair_style("gran/hooke")
class Hooke(GranularStyle):
    """pair_style gran/hooke KN KT GN GT MU DAMPFLAG [limit_damping]; pair_coeff * *

    KT NULL: 2/7 KN (not read here), GT NULL: GN/2, DAMPFLAG 0: no damping of sliding; limit_damping: grains never pull.
    Forces are those of physics.py, friction without memory.
    """

    touch, turned_alike = physics.hooke, True

    def configure(self, args: list[str]) -> None:
        self.values = coefficients(f"pair_style {self.name}", args, self.scale_of())
        self.args, self.setting = list(args), {}

    def scale_of(self) -> float:
        """What stiffnesses are divided by."""
        return 1.0

    def coeff(self, args: list[str]) -> None:
        arguments(args, 2, 2, "pair_coeff * *")
        for pair in self.type_pairs(*args):
            self.explicit[pair] = {}

    def parameters(self, values: Values) -> Values:
        return self.values


@pair_style("gran/hooke/history")
class HookeHistory(Hooke):
    """pair_style gran/hooke/history KN KT GN GT MU DAMPFLAG [limit_damping]: contacts remember how far they have slid."""

    touch, history = physics.hooke_history, 3


@pair_style("gran/hertz/history")
class HertzHistory(Hooke):
    """pair_style gran/hertz/history KN KT GN GT MU DAMPFLAG [limit_damping]: KN and KT are pressures, P of physics.py."""

    touch, history = physics.hertz_history, 3

    def scale_of(self) -> float:
        return self.system.units.nktv2p

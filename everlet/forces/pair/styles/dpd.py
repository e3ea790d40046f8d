"""Dissipative particles: soft repulsion with friction and noise between pairs, which conserve momentum.

    F = [a w - gamma w^2 (n.u) + sigma w xi / sqrt(dt)] n        w = 1 - r/r_c, u = v_i - v_j, sigma^2 = 2 k_B T gamma
    E = a r_c w^2 / 2

xi is a normal number of each pair and step, from the seed and the ids of the two atoms: the same on any number of ranks and
threads, and on GPUs. The reference draws others. Two images of one atom have the same number.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.pair import dpd_loops
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coefficients import check_cutoff
from everlet.forces.pair.quantities import Quantity
from everlet.forces.pair.quantities import number as plain
from everlet.forces.pair.schemes.own import OwnStyle, ahead
from everlet.state.atoms import Atoms
from everlet.state.random import Marsaglia

force, friction = Quantity("force"), Quantity("force/velocity")


class Noisy(OwnStyle):
    """Styles with noise of pairs: pair_style ends with a cutoff and a seed."""

    width = 0
    follows_clock = moving = True
    mixable = False

    def reach_and_seed(self, args: list[str]) -> None:
        self.seed = integer(args[-1], "a seed")
        Marsaglia(self.seed)  # refuses seeds that are too small or large
        self.setting = {"cut": number(args[-2], "a cutoff")}
        check_cutoff(self.setting["cut"])
        for values in self.explicit.values():
            values["cut"] = self.setting["cut"]
        self.args = list(args)

    def noise(self, atoms: Atoms) -> tuple[Any, ...]:
        """What its loop takes first after the usual arguments: how far pairs reach, velocities, and what noise is made from."""
        system = self.system
        return (float(self.cutoffs.max()) ** 2, atoms.view("v"), atoms.view("id"), system.space.control, ahead(system),
                self.seed, 1.0 / math.sqrt(system.dt))


class Dissipative(Noisy):
    """`heats`: temperatures that pair_style gives, one or two."""

    loop = dpd_loops.dpd_loop
    heats: ClassVar[int] = 1

    def configure(self, args: list[str]) -> None:
        words = [*("T" if self.heats == 1 else "T_START T_STOP").split(), "cutoff", "seed"]
        arguments(args, len(words), len(words), f"pair_style {self.name} {' '.join(words)}")
        self.heat = [number(args[k], "a temperature") for k in (0, self.heats - 1)]
        if min(self.heat) < 0.0:
            raise InputError(f"pair style {self.name}: a temperature below zero", "give 0 or more")
        self.reach_and_seed(args)

    def along(self, cut: float, gamma: float, a: float = 0.0) -> dict[str, float]:
        """Parameters of the part along the line between two atoms."""
        return {"a": a, "gamma": gamma, "sigma": self._noise(gamma), "inverse": 1.0 / cut if cut else 0.0, "cut": cut}

    def _noise(self, gamma: float) -> float:
        """sigma at temperature 1."""
        if gamma < 0.0:
            raise InputError(f"pair style {self.name}: friction {gamma:g}", "give 0 or more")
        return math.sqrt(2.0 * self.system.units.boltz * gamma)

    def statics(self) -> dict[str, Any]:
        return {"EXT": False}

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        return *self.noise(atoms), *self.heat, self.system.run_start, self.system.run_stop


@pair_style("dpd")
class DPD(Dissipative):
    """F = [a w - gamma w^2 (n.u) + sigma w xi / sqrt(dt)] n, w = 1 - r/r_c.

    pair_style dpd T r_c SEED         T: temperature, r_c: length
    pair_coeff I J a gamma [r_c]      a: force, gamma: force/velocity
    """

    coeffs = {"a": force, "gamma": friction}

    def table(self, cut: float, gamma: float, a: float) -> dict[str, float]:
        return self.along(cut, gamma, a)


@pair_style("dpd/tstat")
class DPDThermostat(Dissipative):
    """The same without a: a thermostat beside other styles, T from T_START to T_STOP in a run.

    pair_style dpd/tstat T_START T_STOP r_c SEED
    pair_coeff I J gamma [r_c]
    """

    coeffs = {"gamma": friction}
    heats = 2

    def table(self, cut: float, gamma: float) -> dict[str, float]:
        return self.along(cut, gamma)


class Extended(Dissipative):
    """With friction and noise across the line between two atoms, P = 1 - n n, and weights w^s and w^t."""

    def across(self, gamma_t: float, s: float, t: float) -> dict[str, float]:
        return {"gamma_t": gamma_t, "sigma_t": self._noise(gamma_t), "power": s, "power_t": t}

    def statics(self) -> dict[str, Any]:
        return {"EXT": True}


@pair_style("dpd/ext")
class DPDExtended(Extended):
    """F = [a w - gamma w^2s (n.u) + sigma w^s xi / sqrt(dt)] n - gamma_t w^2t P u + sigma_t w^t P xi' / sqrt(dt).

    pair_style dpd/ext T r_c SEED                     P = 1 - n n, xi': three numbers
    pair_coeff I J a gamma gamma_t s t [r_c]          a: force, gammas: force/velocity
    """

    coeffs = {"a": force, "gamma": friction, "gamma_t": friction, "s": plain, "t": plain}

    def table(self, cut: float, gamma: float, gamma_t: float, s: float, t: float, a: float) -> dict[str, float]:
        return self.along(cut, gamma, a) | self.across(gamma_t, s, t)


@pair_style("dpd/ext/tstat")
class DPDExtendedThermostat(Extended):
    """The same without a, T from T_START to T_STOP in a run.

    pair_style dpd/ext/tstat T_START T_STOP r_c SEED
    pair_coeff I J gamma gamma_t s t [r_c]
    """

    coeffs = {"gamma": friction, "gamma_t": friction, "s": plain, "t": plain}
    heats = 2

    def table(self, cut: float, gamma: float, gamma_t: float, s: float, t: float) -> dict[str, float]:
        return self.along(cut, gamma) | self.across(gamma_t, s, t)

"""A flow of heat by swaps of velocities."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, integer, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.transport.exchanged import Exchanger
from everlet.state.system import System

USAGE = "fix ID group thermal/conductivity N x|y|z NBIN [swap NSWAP]"


@fix_style("thermal/conductivity")
class ThermalConductivity(Exchanger):
    """fix ID group thermal/conductivity N x|y|z NBIN [swap NSWAP]: every N steps the hottest atom of slab 1 and the coldest of
    slab NBIN/2 + 1 collide: v = 2 v_c - v, v_c that of the centre of mass of both. f_ID: the kinetic energy that was moved."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 3, None, USAGE)
        super().__init__(system, id, group, args, args[1:3])
        words = list(args[3:])
        while words:
            if words[0] != "swap":
                raise unknown("keyword of fix thermal/conductivity", words[0], ("swap",), f"usage: {USAGE}")
            arguments(words[1:2], 1, 1, USAGE)
            self.swaps, words = integer(words[1], "a number of swaps"), words[2:]
        if self.swaps < 1:
            raise InputError(f"fix {id}: swap {self.swaps}", "give 1 or more")

    def end_of_step(self) -> None:
        def energy(m: np.ndarray, v: np.ndarray) -> np.ndarray:
            return 0.5 * m * (v**2).sum(axis=1)

        hot = self.chosen(lambda m, v: -energy(m, v), 0)
        cold = self.chosen(energy, self.bins // 2)
        for (_, one, m, v), (_, other, mass, w) in zip(hot, cold, strict=False):
            centre = (m * v + mass * w) / (m + mass)
            new, back = 2.0 * centre - v, 2.0 * centre - w
            self.total += 0.5 * self.system.units.mvv2e * mass * float(back @ back - w @ w)
            self.put(one, new)
            self.put(other, back)

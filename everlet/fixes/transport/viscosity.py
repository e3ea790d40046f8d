"""A flow of momentum by swaps of velocities."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.transport.exchanged import AXES, Exchanger
from everlet.state.system import System

USAGE = "fix ID group viscosity N VDIM PDIM NBIN [swap NSWAP] [vtarget V|INF]"


@fix_style("viscosity")
class Viscosity(Exchanger):
    """fix ID group viscosity N VDIM PDIM NBIN [swap NSWAP] [vtarget V|INF]: slabs along PDIM. Every N steps the atom of slab 1
    with the largest velocity along VDIM (or nearest to V) and that of slab NBIN/2 + 1 with the largest negative one (nearest
    to -V) collide in this component: v = 2 v_c - v. f_ID: the momentum that was moved."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 4, None, USAGE)
        super().__init__(system, id, group, args, args[2:4])
        one_of("axis", args[1], AXES)
        self.along, self.wanted, words = AXES.index(args[1]), math.inf, list(args[4:])
        while words:
            arguments(words[1:2], 1, 1, USAGE)
            if words[0] == "swap":
                self.swaps = integer(words[1], "a number of swaps")
            elif words[0] == "vtarget":
                self.wanted = math.inf if words[1] == "INF" else number(words[1], "a velocity")
            else:
                raise unknown("keyword of fix viscosity", words[0], ("swap", "vtarget"), f"usage: {USAGE}")
            words = words[2:]
        if self.swaps < 1 or self.wanted <= 0.0:
            raise InputError(f"fix {id}: swap {self.swaps}, vtarget {self.wanted:g}", "give 1 swap or more and V above 0")

    def _key(self, sign: float, v: np.ndarray) -> np.ndarray:
        """Who goes first among those that move the right way; others never do."""
        speed = sign * v[:, self.along]
        key = -speed if math.isinf(self.wanted) else np.abs(speed - self.wanted)
        return np.where(speed > 0.0, key, np.inf)

    def end_of_step(self) -> None:
        forth = self.chosen(lambda m, v: self._key(1.0, v), 0)
        back = self.chosen(lambda m, v: self._key(-1.0, v), self.bins // 2)
        k = self.along
        for (_, one, m, v), (_, other, mass, w) in zip(forth, back, strict=False):
            centre = (m * v[k] + mass * w[k]) / (m + mass)
            self.total += m * (2.0 * centre - 2.0 * v[k])
            v[k], w[k] = 2.0 * centre - v[k], 2.0 * centre - w[k]
            self.put(one, v)
            self.put(other, w)

"""Stillinger-Weber whose angles far from theirs cost nothing, for crystals with several angles at an atom, such as MoS2.

As sw, with delta = cos theta - cos theta0 times (1 + cos(pi (|delta| - d1) / (d2 - d1))) / 2 between d1 and d2, and 0 beyond.

    pair_style sw/mod [maxdelta d1 d2]    pair_coeff as of sw        d1 0.25, d2 0.35

Forces are those of the reference, which leaves out the slope of that factor: they are not quite the slopes of the energy where
d1 < |delta| < d2.
"""

from __future__ import annotations

import functools
import math

from everlet.errors import InputError, arguments, number
from everlet.forces.manybody.threebody.sw import StillingerWeber
from everlet.forces.pair.base import pair_style
from everlet.portable import Portable, cos, least, magnitude, most, portable


@pair_style("sw/mod")
class StillingerWeberModified(StillingerWeber):
    def configure(self, args: list[str]) -> None:
        usage = "usage: pair_style sw/mod [maxdelta d1 d2]"
        self.limits = 0.25, 0.35
        if args:
            if args[0] != "maxdelta":
                raise InputError(f"unknown option '{args[0]}'", usage)
            arguments(args, 3, 3, usage)
            first, second = (number(word, "maxdelta") for word in args[1:])
            if not 0.0 <= first < second:
                raise InputError(f"maxdelta {first:g} {second:g}", "the first is 0 or more, the second larger")
            self.limits = first, second
        super().configure([])
        self.args = list(args)

    @property
    def angle(self) -> Portable:  # type: ignore[override]
        return faded(*self.limits)


@functools.cache
def faded(first: float, second: float) -> Portable:
    end, rate = math.pi, math.pi / (second - first)

    @portable
    def angle(r, u, du, s, v, dv, c, p):
        off = c - p.cosine
        off = off * (0.5 + 0.5 * cos(most(least((magnitude(off) - first) * rate, end), 0.0)))
        height = p.strength * off * off
        return height * u * v, height * du * v, height * u * dv, 2.0 * p.strength * off * u * v

    return angle

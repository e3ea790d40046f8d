"""Functions that are cubics between equally spaced points, and go on in a straight line beyond these.

A block of numbers has them: where the first point is, one over the spacing, the number of the last interval, 0; then four
numbers of each interval and function, a b c d of ((a t + b) t + c) t + d. Kernels know a block by where it begins.
"""

from __future__ import annotations

import numpy as np

from everlet.forces.manybody.eam.eam import quadratic, value
from everlet.forces.pair.styles.table_spline import Spline
from everlet.portable import floor, least, lookup4, most, portable


def spline_cubics(x: np.ndarray, y: np.ndarray, first: float, last: float) -> np.ndarray:
    """The rows of four numbers of a cubic spline through points at equal distances, with these slopes at its ends."""
    bend, rise = Spline(x, y, first, last).second * float(np.diff(x).mean()) ** 2 / 6.0, np.diff(y)
    return np.stack([np.diff(bend), 3.0 * bend[:-1], rise - 2.0 * bend[:-1] - bend[1:], y[:-1]], axis=1)


class Blocks:
    """The numbers of all functions of a style; the first block is that of what is not there, 0 everywhere."""

    def __init__(self) -> None:
        self.parts, self.size = [np.zeros(12)], 12

    def add(self, low: float, high: float, *cubics: np.ndarray) -> float:
        """A block: functions between `low` and `high`, each of a row of four numbers for each interval."""
        begin, count = self.size, len(cubics[0])
        self.parts += [np.array([low, count / (high - low), count - 1.0, 0.0]), np.concatenate(cubics, axis=1).ravel()]
        self.size += 4 + self.parts[-1].size
        return float(begin)

    @property
    def data(self) -> np.ndarray:
        return np.concatenate(self.parts)


@portable
def spot(x, at, data):
    """The interval of x, where in it, and one over its length."""
    low, inverse, last, _ = lookup4(data, at)
    s = (x - low) * inverse
    k = most(least(floor(s), last), 0.0)
    return k, s - k, inverse


@portable
def line(t, a, b, c, d, inverse):
    """A cubic and its slope; outside of the interval it goes on in a straight line."""
    u = most(least(t, 1.0), 0.0)
    slope = quadratic(u, 3.0 * a, 2.0 * b, c)
    return value(u, a, b, c, d) + slope * (t - u), slope * inverse


@portable
def curve(x, at, data):
    """The only function of a block, and its slope."""
    k, t, inverse = spot(x, at, data)
    a, b, c, d = lookup4(data, at + 4.0 * k + 4.0)
    return line(t, a, b, c, d, inverse)

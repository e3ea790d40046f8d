"""Files of splines for meam/spline and meam/sw/spline.

    a line of comment
    [meam/spline n El1 El2 …]       without it there is one element, of any name
    splines one after the other: of one element phi [F G] rho U f g; of several phi of 1 1, 1 2 … 1 n, 2 2 …, rho of each, U of
    each, f of each, g of 1 1, 1 2 …

    [spline3eq]                     a spline
    n                               points
    s e                             slopes at the first and the last
    [1 0 1 0]                       of old files; means nothing
    x y y''                         n lines, x at equal distances; y'' means nothing
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.forces.manybody.threebody.curves import spline_cubics
from everlet.forces.potential_file import PotentialFile

EVEN = 1e-6  # of a spacing


@dataclass
class Curve:
    """A function between `low` and `high`: numbers a b c d of ((a t + b) t + c) t + d on each interval."""

    low: float
    high: float
    cubics: np.ndarray

    def times(self, factor: float) -> Curve:
        return Curve(self.low, self.high, factor * self.cubics)

    def at_zero(self) -> float:
        """Its value at 0."""
        count = len(self.cubics)
        t = -self.low * count / (self.high - self.low)
        k = min(max(int(t), 0), count - 1)
        u = min(max(t - k, 0.0), 1.0)
        a, b, c, d = self.cubics[k].tolist()
        return float(((a * u + b) * u + c) * u + d + ((3.0 * a * u + 2.0 * b) * u + c) * (t - k - u))

    def without_zero(self) -> Curve:
        """Less its value at 0."""
        made = self.cubics.copy()
        made[:, 3] -= self.at_zero()
        return Curve(self.low, self.high, made)


class SplineFile:
    """`several`: the file names its elements; then splines are read for these."""

    def __init__(self, name: str):
        self.file = PotentialFile(name)
        self.file.skip(1)
        self.names: list[str] = []
        words = self.file.words("the first spline")
        if words[0] == "meam/spline":
            count = self.file.integer(words[1], "the number of elements") if len(words) > 1 else 0
            self.names = words[2:]
            if count < 1 or len(self.names) != count or len(set(self.names)) != count:
                raise self.file.fail(f"'{' '.join(words)}' does not name {count} elements", "give meam/spline n El1 El2 … Eln")
        else:
            self.file.line -= 1

    def spline(self, what: str) -> Curve:
        file = self.file
        words = file.words(what)
        if words == ["spline3eq"]:
            words = file.words(what)
        if len(words) != 1:
            raise file.fail(f"'{' '.join(words)[:40]}' is no number of points of {what}")
        count = file.integer(words[0], f"the number of points of {what}")
        if count < 2:
            raise file.fail(f"{what} has {count} points", "give 2 or more")
        ends = self._numbers(file.words(f"slopes of {what}"), 2, f"slopes at the ends of {what}")
        words = file.words(f"points of {what}")
        if len(words) != 4:
            file.line -= 1
        rows = np.array([self._numbers(file.words(f"points of {what}"), 3, f"x y y'' of {what}") for _ in range(count)])
        x, y = rows[:, 0], rows[:, 1]
        steps = np.diff(x)
        if x[-1] <= x[0] or np.abs(steps - steps.mean()).max() > EVEN * steps.mean():
            raise file.fail(f"points of {what} are not equally spaced", "splines with other points are not available")
        return Curve(float(x[0]), float(x[-1]), spline_cubics(x, y, *ends))

    def _numbers(self, words: list[str], count: int, what: str) -> list[float]:
        if len(words) != count:
            raise self.file.fail(f"{len(words)} words where {what} should be")
        return [self.file.number(word, what) for word in words]

"""Cubic splines on knots: which interval a distance is in, the basis there, and coefficients as kernels read them.

An Axis has intervals 0 … last between its knots, and four basis functions in each: coefficients k … k + 3 belong to interval
k. Kernels know a place by k and u, the way from the knot before it; `even` axes have equal intervals, and u is a part of one.

    spot(r, at, start, inverse, last, data)     -> k, u        `at`: where the bins of an axis are in `data`
    basis(k, u, at, inverse, data)              -> four values, four slopes with r

Each has two forms, which a style compiles in: for even axes without tables, for all others with bins so narrow that one knot
at most is inside.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.portable import floor, least, lookup4, lookup8, most, portable, where

MOST_BINS = 1 << 14
ORDER = 4  # numbers of a cubic


class Axis:
    """Knots, the first and the last of them once."""

    def __init__(self, knots: np.ndarray):
        self.knots = knots
        self.last = len(knots) - 2
        self.size = len(knots) + 2
        self.low, self.high = float(knots[0]), float(knots[-1])
        self.gap = (self.high - self.low) / (self.last + 1)
        ideal = self.low + self.gap * np.arange(len(knots))
        self.even = bool(np.abs(knots - ideal).max() <= 1e-12 * self.high)
        self.bins = int(np.ceil((self.high - self.low) / np.diff(knots).min() * 1.001))
        if not self.even and self.bins > MOST_BINS:
            raise InputError(f"two are {np.diff(knots).min():g} apart, less than the {MOST_BINS}th part of all",
                             "leave one of them out")

    @property
    def clamped(self) -> np.ndarray:
        return np.concatenate([[self.low] * 3, self.knots, [self.high] * 3])

    def cubics(self, even: bool) -> np.ndarray:
        """The basis functions as cubics of u: (intervals, four functions, four powers of u)."""
        t, made = self.clamped, np.zeros((self.last + 1, 4, ORDER))
        for k in range(self.last + 1):
            pieces = {3: np.array([1.0, 0.0, 0.0, 0.0])}  # of one interval alone; functions 0 … 3 of a degree
            at = t[k + 3]
            for degree in (1, 2, 3):
                raised: dict[int, np.ndarray] = {}
                for j in range(3 - degree, 4):
                    whole = np.zeros(ORDER)
                    i = k + j  # a function of this degree begins at knot i
                    if j in pieces:
                        whole += _times(pieces[j], at - t[i], 1.0) / (t[i + degree] - t[i])
                    if j + 1 in pieces:
                        whole += _times(pieces[j + 1], t[i + degree + 1] - at, -1.0) / (t[i + degree + 1] - t[i + 1])
                    raised[j] = whole
                pieces = raised
            made[k] = [pieces[j] for j in range(4)]
        return made * (self.gap ** np.arange(ORDER) if even else 1.0)

    def equal(self) -> np.ndarray:
        """The matrix that turns coefficients of a clamped even axis into those of knots that go on at equal distances: the
        basis is then the same in all intervals. Only the two coefficients at each end change."""
        size, t = self.size, self.clamped
        wanted = self.low + self.gap * np.arange(-3, size + 1)
        made = np.eye(size)
        for row in (0, 1):
            made[row] = _blossom(t, 3, wanted[row + 1 : row + 4], size)
        for row in (size - 2, size - 1):
            made[row] = _blossom(t, size - 1, wanted[row + 1 : row + 4], size)
        return made

    def bin_table(self) -> np.ndarray:
        """Of each bin: the interval at its beginning, that one's knot and the next; a fourth number fills the row."""
        width = (self.high - self.low) / self.bins
        begins = self.low + width * np.arange(self.bins)
        k = np.clip(np.searchsorted(self.knots, begins * (1 + 1e-14), side="right") - 1, 0, self.last)
        # the last interval has no next one: its end is out of reach, so that it is not left
        knots = np.append(self.knots[:-1], 1e30)
        return np.stack([k.astype(float), knots[k], knots[k + 1], 0.0 * k], axis=1)


def _times(cubic: np.ndarray, a: float, b: float) -> np.ndarray:
    """A polynomial times (a + b u)."""
    return a * cubic + b * np.concatenate([[0.0], cubic[:-1]])


def _blossom(t: np.ndarray, interval: int, at: np.ndarray, size: int) -> np.ndarray:
    """Weights of the coefficients in the blossom of the spline's cubic in an interval of knots t."""
    d = np.eye(size)[interval - 3 : interval + 1]
    for level in (1, 2, 3):
        for j in range(3, level - 1, -1):
            i = interval - 3 + j
            part = (at[level - 1] - t[i]) / (t[i + 4 - level] - t[i])
            d[j] = (1.0 - part) * d[j - 1] + part * d[j]
    return d[3]


@portable
def even_spot(r, at, start, inverse, last, data):
    x = (r - start) * inverse
    k = most(least(floor(x), last), 0.0)
    return k, x - k


@portable
def any_spot(r, at, start, inverse, last, data):
    b = most(least(floor((r - start) * inverse), last), 0.0)
    k, before, middle, _ = lookup4(data, at + 4.0 * b)
    beyond = r >= middle
    return where(beyond, k + 1.0, k), r - where(beyond, middle, before)


@portable
def even_basis(k, u, at, inverse, data):
    v = 1.0 - u
    half, rest = 0.5 * inverse * u, 0.5 * inverse * v
    u2, v2 = u * u, v * v
    sixth, two = 0.16666666666666667, 0.66666666666666667
    return (sixth * v2 * v, two - u2 * (1.0 - 0.5 * u), two - v2 * (1.0 - 0.5 * v), sixth * u2 * u,
            -rest * v, half * (3.0 * u - 4.0), rest * (4.0 - 3.0 * v), half * u)


@portable
def four_cubics(data, at, u):
    """Values and slopes of four cubics, whose coefficients are one behind the other from `at` on."""
    a0, a1, a2, a3, b0, b1, b2, b3 = lookup8(data, at)
    c0, c1, c2, c3, d0, d1, d2, d3 = lookup8(data, at + 8.0)
    a, da = cubic(u, a0, a1, a2, a3)
    b, db = cubic(u, b0, b1, b2, b3)
    c, dc = cubic(u, c0, c1, c2, c3)
    d, dd = cubic(u, d0, d1, d2, d3)
    return a, da, b, db, c, dc, d, dd


@portable
def cubic(u, a, b, c, d):
    """A cubic and its slope."""
    return a + u * (b + u * (c + u * d)), b + u * (2.0 * c + 3.0 * u * d)


@portable
def any_basis(k, u, at, inverse, data):
    here = at + 16.0 * k
    a0, a1, a2, a3 = lookup4(data, here)
    b0, b1, b2, b3 = lookup4(data, here + 4.0)
    c0, c1, c2, c3 = lookup4(data, here + 8.0)
    d0, d1, d2, d3 = lookup4(data, here + 12.0)
    a, da = cubic(u, a0, a1, a2, a3)
    b, db = cubic(u, b0, b1, b2, b3)
    c, dc = cubic(u, c0, c1, c2, c3)
    d, dd = cubic(u, d0, d1, d2, d3)
    return a, b, c, d, da, db, dc, dd

"""Bins of equal width along one, two or three axes, for compute chunk/atom.

Bins grow from an origin and cover the box (or the bound of an axis); the first and last ones may stick out. The first axis
that is named is the slowest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError, number, one_of
from everlet.state.system import System

EDGES = ("lower", "center", "upper")


@dataclass
class Axis:
    """Bins along one axis: origin is a number or one of EDGES; all in box units, or in parts of the box (reduced)."""

    k: int
    origin: str
    delta: float
    scale: float
    low: float | None = None  # a bound
    high: float | None = None
    first: float = 0.0  # the lower edge of the first bin
    count: int = 0

    def place(self, lo: float, hi: float) -> None:
        """Lay bins over the box, or over the bound."""
        begin, end = (lo if self.low is None else self.low), (hi if self.high is None else self.high)
        known = {"lower": begin, "upper": end, "center": 0.5 * (begin + end)}
        origin = known[self.origin] if self.origin in known else self.scale * float(self.origin)
        if origin < begin:
            self.first = origin + int((begin - origin) / self.delta) * self.delta
        else:
            self.first = origin - int((origin - begin) / self.delta) * self.delta
            self.first -= self.delta if self.first > begin else 0.0
        if origin < end:
            last = origin + int((end - origin) / self.delta) * self.delta
            last += self.delta if last < end else 0.0
        else:
            last = origin - int((origin - end) / self.delta) * self.delta
        self.count = int((last - self.first) / self.delta + 0.5)
        if self.first > last or self.count < 1:
            raise InputError(f"bins along {'xyz'[self.k]} do not cover the box", "check origin, bound and width")

    def bins(self, x: np.ndarray, discard: str) -> np.ndarray:
        """The bin of each coordinate, -1 for those that are left out."""
        found = np.floor((x - self.first) * (1.0 / self.delta)).astype(np.int64)
        over, under = found >= self.count, found < 0
        drop_low, drop_high = discard == "yes", discard == "yes"
        if discard == "mixed":
            drop_low, drop_high = self.low is not None, True  # beyond the upper face too: as the reference does it
        found = np.where(under, -1 if drop_low else 0, found)
        return np.where(over, -1 if drop_high else self.count - 1, found)


class Bins:
    """bin/1d AXIS ORIGIN WIDTH, bin/2d and bin/3d with two or three of these."""

    def __init__(self, system: System, words: list[str], units: str):
        self.system, self.reduced = system, units == "reduced"
        self.axes: list[Axis] = []
        spacing = system.lattice.spacing if system.lattice is not None and units == "lattice" else np.ones(3)
        for axis, origin, width in zip(words[::3], words[1::3], words[2::3], strict=True):
            one_of("axis of bins", axis, ("x", "y", "z"))
            if axis in ["xyz"[one.k] for one in self.axes]:
                raise InputError(f"two times bins along {axis}", "name each axis once")
            scale = float(spacing["xyz".index(axis)])
            delta = number(width, "the width of a bin")
            if delta <= 0:
                raise InputError(f"bins of width {width}", "give a width above zero")
            if origin not in EDGES:
                number(origin, "lower, center, upper or the origin of bins")
            self.axes.append(Axis("xyz".index(axis), origin, scale * delta, scale))
        if system.need_box().triclinic and not self.reduced:
            raise InputError("bins in a tilted box need parts of its edges", "use units reduced")

    def bound(self, axis: str, low: str, high: str) -> None:
        """bound x|y|z LOW HIGH, where lower and upper are no bound."""
        found = [one for one in self.axes if "xyz"[one.k] == axis]
        if not found:
            raise InputError(f"compute chunk/atom bound {axis}: there are no bins along {axis}", "leave it out")
        one = found[0]
        one.low = None if low == "lower" else one.scale * number(low, "a bound")
        one.high = None if high == "upper" else one.scale * number(high, "a bound")

    def nearest_images(self) -> None:
        raise InputError("compute chunk/atom pbc yes is for bin/sphere", "leave it out")

    @property
    def along(self) -> list[Axis]:
        """Rows of bins along axes."""
        return self.axes

    @property
    def width(self) -> int:
        """How many numbers say where a bin is."""
        return len(self.axes)

    @property
    def count(self) -> int:
        return int(np.prod([axis.count for axis in self.axes]))

    def place(self) -> None:
        """Lay bins over the present box."""
        box = self.system.need_box()
        lo, hi = (np.zeros(3), np.ones(3)) if self.reduced else (box.lo, box.hi)
        for axis in self.axes:
            axis.place(float(lo[axis.k]), float(hi[axis.k]))

    def of_atoms(self, discard: str) -> np.ndarray:
        """The bin of each atom of this rank, counted from 1; 0: none."""
        box, x = self.system.need_box(), self.system.atoms.read("x")
        if self.reduced:
            x = box.to_fraction(x)
        lo, length = (np.zeros(3), np.ones(3)) if self.reduced else (box.lo, box.lengths)
        found, out = np.zeros(len(x), np.int64), np.zeros(len(x), bool)
        for axis in self.axes:
            y = x[:, axis.k].copy()
            if box.periodic[axis.k]:
                y = np.where(y < lo[axis.k], y + length[axis.k], y)
                y = np.where(y >= lo[axis.k] + length[axis.k], y - length[axis.k], y)
            bins = axis.bins(y, discard)
            out |= bins < 0
            found = found * axis.count + bins
        return np.where(out, 0, found + 1)

    def middles(self) -> np.ndarray:
        """The middle of each bin, (bins, axes), in box units or parts of the box."""
        middles = [axis.first + (np.arange(axis.count) + 0.5) * axis.delta for axis in self.axes]
        grid = np.meshgrid(*middles, indexing="ij")
        return np.stack([one.ravel() for one in grid], axis=1)

    def volume(self) -> float:
        """Of one bin."""
        box = self.system.need_box()
        volume = float(np.prod(box.lengths)) if self.system.dimension == 3 else float(np.prod(box.lengths[:2]))
        for axis in self.axes:
            volume *= axis.delta / (1.0 if self.reduced else float(box.lengths[axis.k]))
        return volume

"""Pressures in bins along one or two edges of the box, by the contour of Irving and Kirkwood."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments, number, one_of, unknown
from everlet.forces.pair.single import PairsNear
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group stress/cartesian DIM1 WIDTH1 DIM2 WIDTH2 [ke] [pair], DIM2 may be NULL with width 0"
PARTS = ("ke", "pair")


@compute_style("stress/cartesian")
class StressCartesian(Compute):
    """compute ID group stress/cartesian DIM1 WIDTH1 DIM2 WIDTH2 [ke] [pair]    DIM: x, y or z; NULL 0 for one edge alone

    A row for each bin, DIM1 fastest: its middle (one or two numbers), atoms per volume, the kinetic part of the pressure
    xx yy zz, sum m v_a v_a / V, and that of pairs, sum f_a d_a s / V, s the part of the line between two atoms in the
    bin. Bins have at least these widths and fill the box. Atoms are those of the group, pairs those of two of them; ke, pair:
    these parts alone.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        for word in args[4:]:
            if word not in PARTS:
                raise unknown("part of compute stress/cartesian", word, PARTS, f"usage: {USAGE}")
        self.parts = set(args[4:]) or set(PARTS)
        self.axes: list[int] = []
        self.widths: list[float] = []
        for word, width in zip(args[:4:2], args[1:4:2], strict=True):
            if word == "NULL" and self.axes:
                continue
            one_of("direction of compute stress/cartesian", word, ("x", "y", "z"))
            self.axes.append("xyz".index(word))
            self.widths.append(number(width, "a width"))
        if len(set(self.axes)) != len(self.axes):
            raise InputError(f"compute stress/cartesian: direction {args[0]} is there twice", "give two, or NULL 0")
        if system.need_box().triclinic:
            raise InputError("compute stress/cartesian is for boxes that are not tilted", "use compute stress/atom and chunks")
        lengths = system.need_box().lengths
        if any(not 0.0 < width <= lengths[axis] for axis, width in zip(self.axes, self.widths, strict=True)):
            raise InputError(f"compute stress/cartesian: widths {' and '.join(args[1:4:2])}",
                             "give widths above 0 and up to that of the box")
        self.counts = [int(lengths[axis] / width) for axis, width in zip(self.axes, self.widths, strict=True)]
        self.gives = Gives(array=INTENSIVE, width=len(self.axes) + 7)

    def array(self) -> np.ndarray:
        system, box = self.system, self.system.need_box()
        steps = [box.lengths[axis] / count for axis, count in zip(self.axes, self.counts, strict=True)]
        bins = int(np.prod(self.counts))
        sums = np.zeros((7, bins))
        mine = (system.atoms.read("mask") & self.bit) != 0
        x, v, masses = system.atoms.read("x")[mine], system.atoms.read("v")[mine], system.masses_of()[mine]
        own = self._bins((x[:, self.axes] - box.lo[self.axes]) / steps)
        sums[0] = np.bincount(own, minlength=bins)
        if "ke" in self.parts:
            for a in range(3):
                sums[1 + a] = system.units.mvv2e * np.bincount(own, masses * v[:, a] ** 2, bins)
        if "pair" in self.parts:
            self._pairs(sums[4:], steps)
        volume = box.volume / bins
        sums = system.ranks.sum(sums.ravel()).reshape(7, bins) / volume
        sums[1:] *= system.units.nktv2p
        places = np.unravel_index(np.arange(bins), self.counts, order="F")
        middles = [box.lo[axis] + (place + 0.5) * step for axis, place, step in zip(self.axes, places, steps, strict=True)]
        return np.stack([*middles, *sums], axis=1)

    def _bins(self, places: np.ndarray) -> np.ndarray:
        """Numbers of bins, of places (n, 1 or 2) in units of them."""
        wrapped = [np.floor(column).astype(np.int64) % count for column, count in zip(places.T, self.counts, strict=True)]
        return np.ravel_multi_index(wrapped, self.counts, order="F")

    def _pairs(self, sums: np.ndarray, steps: list[float]) -> None:
        """Add f_a d_a of each pair to the bins that its line goes through."""
        if self.system.pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        found = PairsNear(self.system, f"compute {self.id}")
        found = found.only(((found.masks & self.bit) != 0).all(axis=1))
        start = (self.system.atoms.read("x")[found.rows][:, self.axes] - self.system.need_box().lo[self.axes]) / steps
        way = -found.d[:, self.axes] / steps
        ends = [np.zeros((len(way), 1)), np.ones((len(way), 1))]
        for column in range(way.shape[1]):
            ends.append(crossings(start[:, column], way[:, column]))
        parts = np.sort(np.concatenate(ends, axis=1), axis=1)
        share, middle = np.diff(parts, axis=1), 0.5 * (parts[:, 1:] + parts[:, :-1])
        bins = self._bins((start[:, None] + middle[:, :, None] * way[:, None]).reshape(-1, way.shape[1]))
        work = found.values()[0][:, None] * found.d**2
        for a in range(3):
            sums[a] += np.bincount(bins, (work[:, a, None] * share).ravel(), sums.shape[1])


def crossings(start: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Parts of lines from `start` to `start + way` up to whole numbers; 1 beyond the last."""
    low, high = np.minimum(start, start + way), np.maximum(start, start + way)
    first = np.ceil(low)
    at = first[:, None] + np.arange(int((np.floor(high) - first).max(initial=-1.0)) + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = (at - start[:, None]) / way[:, None]
    return np.where((at <= high[:, None]) & (way != 0.0)[:, None], np.clip(parts, 0.0, 1.0), 1.0)

"""Temperature with velocities counted from the mean of bins."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.biased import Biased
from everlet.errors import InputError, arguments, integer, one_of
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group temp/profile X Y Z x|y|z|xy|yz|xz|xyz N … [out tensor|bin]"
BINS = ("x", "y", "z", "xy", "yz", "xz", "xyz")


@compute_style("temp/profile")
class TempProfile(Biased):
    """compute ID group temp/profile X Y Z x|y|z|xy|yz|xz|xyz N … [out tensor|bin]: components with 1 are counted from the
    mean of the atoms in the same bin, of N along each axis. With s such components N_f = d N - (d - s) - s bins.

    out bin: in place of the tensor c_ID[i][j] of bin i: atoms, and temperature with N_f = (d - (d - s) / N) n - s.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, None, USAGE)
        if any(word not in ("0", "1") for word in args[:3]):
            raise InputError(f"compute temp/profile takes 0 or 1 for x y z, found '{' '.join(args[:3])}'", "for example: 1 0 0")
        self.flags = np.array(args[:3], float)
        if system.dimension == 2 and self.flags[2]:
            raise InputError("compute temp/profile: there is no z in two dimensions", "give 0 for z")
        one_of("bins of compute temp/profile", args[3], BINS, f"usage: {USAGE}")
        self.axes = ["xyz".index(axis) for axis in args[3]]
        if system.dimension == 2 and 2 in self.axes:
            raise InputError("compute temp/profile: no bins along z in two dimensions", "leave z out")
        numbers, rest = args[4:4 + len(self.axes)], args[4 + len(self.axes):]
        arguments(numbers, len(self.axes), len(self.axes), USAGE)
        self.counts = [integer(word, "a number of bins") for word in numbers]
        if min(self.counts) < 1:
            raise InputError("compute temp/profile needs one bin or more along an axis", f"usage: {USAGE}")
        if rest and (len(rest) != 2 or rest[0] != "out" or rest[1] not in ("tensor", "bin")):
            raise InputError(f"compute temp/profile: '{' '.join(rest)}' is not known", f"usage: {USAGE}")
        if rest[1:] == ["bin"]:
            self.gives = Gives(scalar=INTENSIVE, array=INTENSIVE, width=2)
        self.bins, self.streaming = int(np.prod(self.counts)), float(self.flags.sum())

    @property
    def extra(self) -> int:
        return int(self.system.dimension - self.streaming) if self.given_extra is None else self.given_extra

    def degrees(self, count: float) -> float:
        return max(self.system.dimension * count - self.extra - self.removed - self.streaming * self.bins, 0)

    def _bin(self) -> np.ndarray:
        """That of each atom of this rank, the last axis slowest."""
        box, x = self.system.need_box(), self.system.atoms.read("x")
        low, long = (np.zeros(3), np.ones(3)) if box.triclinic else (box.lo, box.lengths)
        place = box.to_fraction(x) if box.triclinic else x
        found, stride = np.zeros(len(place), np.int64), 1
        for axis, count in zip(self.axes, self.counts, strict=True):
            along, lo, length = place[:, axis], low[axis], long[axis]
            if box.periodic[axis]:
                along = along + length * (along < lo)
                along = along - length * (along >= lo + length)
            found += stride * np.clip(((along - lo) * (count / length)).astype(np.int64), 0, count - 1)
            stride *= count
        return found

    def _total(self, rows: np.ndarray, bins: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Sums over the atoms of each bin."""
        return self.system.ranks.sum(np.bincount(bins[rows], values[rows], minlength=self.bins))

    def bias(self) -> np.ndarray:
        rows, bins, m, v = self.members(), self._bin(), self.masses(), self.system.atoms.read("v")
        mass = self._total(rows, bins, m)
        momenta = np.stack([self._total(rows, bins, m * v[:, k]) for k in range(3)], axis=1)
        means = np.divide(momenta, mass[:, None], out=np.zeros_like(momenta), where=mass[:, None] > 0.0)
        return means[bins] * self.flags

    def array(self) -> np.ndarray:
        system, rows, bins = self.system, self.members(), self._bin()
        v = system.atoms.read("v") - self.bias()
        count = self._total(rows, bins, np.ones(len(bins)))
        heat = system.units.mvv2e * self._total(rows, bins, self.masses() * (v**2).sum(axis=1))
        d, s = system.dimension, self.streaming
        dof = (d - self.extra / max(count.sum(), 1.0)) * count - s
        return np.stack([count, np.where(dof > 0.0, heat / np.where(dof > 0.0, dof, 1.0) / system.units.boltz, 0.0)], axis=1)

"""Round bins for compute chunk/atom: shells of a sphere, and slices and shells of a cylinder.

    bin/sphere X Y Z RMIN RMAX N                     N shells between two radii about a point
    bin/cylinder AXIS ORIGIN WIDTH C1 C2 RMIN RMAX N slices along AXIS, as bins of bin/1d, each of N shells about the line C1 C2

Slices of a cylinder follow each other within a shell. Radii of a sphere are in units of the lattice along x; those of a
cylinder, and where its axis is, are box units with `units lattice` too, as in the reference. `units reduced`: the middle is
given in parts of the box, and radii in parts of its first edge (of the first one across the cylinder).
"""

from __future__ import annotations

from math import pi

import numpy as np

from everlet.computes.chunk.bins import Axis, Bins
from everlet.errors import InputError, integer, number
from everlet.state.system import System


class Shells:
    """N shells of equal thickness between two radii; `size` is the unit of these."""

    def __init__(self, low: str, high: str, count: str):
        self.low, self.high = number(low, "a radius"), number(high, "a radius")
        self.count, self.size = integer(count, "a number of shells"), 1.0
        if not 0.0 <= self.low < self.high or self.count < 1:
            raise InputError(f"compute chunk/atom: {count} shells from {low} to {high}",
                             "give 0 <= RMIN < RMAX and one shell or more")

    def edges(self) -> np.ndarray:
        return self.size * (self.low + (self.high - self.low) / self.count * np.arange(self.count + 1))

    def middles(self) -> np.ndarray:
        return self.size * (self.low + (np.arange(self.count) + 0.5) * (self.high - self.low) / self.count)

    def of(self, d: np.ndarray, discard: str) -> np.ndarray:
        """The shell of each point; -1: none. Only `discard yes` leaves atoms out."""
        low, high = self.size * self.low, self.size * self.high
        found = np.floor((np.sqrt((d**2).sum(axis=1)) - low) * (self.count / (high - low))).astype(np.int64)
        outside = (found < 0) | (found >= self.count)
        return np.where(outside & (discard == "yes"), -1, np.clip(found, 0, self.count - 1))


class Sphere:
    """bin/sphere X Y Z RMIN RMAX N."""

    width = 1
    along: list[Axis] = []

    def __init__(self, system: System, words: list[str], units: str):
        self.system, self.reduced = system, units == "reduced"
        if system.need_box().triclinic and not self.reduced:
            raise InputError("bins in a tilted box need parts of its edges", "use units reduced")
        spacing = system.lattice.spacing if system.lattice is not None and units == "lattice" else np.ones(3)
        self.given = np.array([number(word, "the middle of a sphere") for word in words[:3]]) * spacing
        self.shells, self.nearest = Shells(*words[3:]), False
        self.shells.size = float(spacing[0])
        self.place()

    def bound(self, axis: str, low: str, high: str) -> None:
        raise InputError(f"compute chunk/atom bound {axis}: shells of a sphere have no such axis", "leave it out")

    def nearest_images(self) -> None:
        """pbc yes: distances are to the nearest image of the middle."""
        box = self.system.need_box()
        if (2.0 * self.shells.edges()[-1] >= box.lengths[list(box.periodic)]).any():
            raise InputError("compute chunk/atom bin/sphere pbc yes: the sphere is as large as the box",
                             "use an outer radius of less than half of the box")
        self.nearest = True

    @property
    def count(self) -> int:
        return self.shells.count

    def place(self) -> None:
        """Where it is in the present box."""
        box = self.system.need_box()
        self.middle = in_box(self.system, self.given) if self.reduced else self.given
        self.shells.size = float(box.lengths[0]) if self.reduced else self.shells.size

    def of_atoms(self, discard: str) -> np.ndarray:
        """The bin of each atom of this rank, counted from 1; 0: none."""
        d, box = wrapped(self.system) - self.middle, self.system.need_box()
        if self.nearest:
            d = np.where(box.periodic, d - box.lengths * np.rint(d / box.lengths), d)
        return self.shells.of(d, discard) + 1

    def middles(self) -> np.ndarray:
        return self.shells.middles()[:, None]

    def volume(self) -> np.ndarray:
        return np.diff(4.0 / 3.0 * pi * self.shells.edges() ** 3)


class Cylinder:
    """bin/cylinder AXIS ORIGIN WIDTH C1 C2 RMIN RMAX N."""

    width = 2

    def __init__(self, system: System, words: list[str], units: str):
        self.system, self.slices = system, Bins(system, words[:3], units)
        axis = self.slices.axes[0].k
        self.across = [k for k in range(3) if k != axis]
        self.given = np.array([number(word, "where the axis of a cylinder is") for word in words[3:5]])
        self.shells = Shells(*words[5:])
        self.place()

    def bound(self, axis: str, low: str, high: str) -> None:
        self.slices.bound(axis, low, high)

    def nearest_images(self) -> None:
        self.slices.nearest_images()

    @property
    def reduced(self) -> bool:
        return self.slices.reduced

    @property
    def along(self) -> list[Axis]:
        return self.slices.axes

    @property
    def count(self) -> int:
        return self.slices.count * self.shells.count

    def place(self) -> None:
        """Where it is in the present box."""
        self.slices.place()
        self.middle = self.given
        if self.slices.reduced:
            whole = np.zeros(3)
            whole[self.across] = self.given
            self.middle = in_box(self.system, whole)[self.across]
            self.shells.size = float(self.system.need_box().lengths[self.across[0]])

    def of_atoms(self, discard: str) -> np.ndarray:
        """The bin of each atom of this rank, counted from 1; 0: none."""
        along = self.slices.of_atoms(discard)
        shell = self.shells.of(wrapped(self.system)[:, self.across] - self.middle, discard)
        return np.where((along == 0) | (shell < 0), 0, shell * self.slices.count + along)

    def middles(self) -> np.ndarray:
        along, r = self.slices.middles()[:, 0], self.shells.middles()
        return np.stack([np.repeat(r, len(along)), np.tile(along, len(r))], axis=1)

    def volume(self) -> np.ndarray:
        box, axis = self.system.need_box(), self.slices.axes[0]
        height = axis.delta * (float(box.lengths[axis.k]) if self.slices.reduced else 1.0)
        return np.repeat(np.diff(pi * self.shells.edges() ** 2) * height, self.slices.count)


def in_box(system: System, part: np.ndarray) -> np.ndarray:
    """A point given in parts of the box."""
    box = system.need_box()
    return box.lo + part * box.lengths + np.array([part[1] * box.xy + part[2] * box.xz, part[2] * box.yz, 0.0])


def wrapped(system: System) -> np.ndarray:
    """Positions between the faces of the box that are periodic, as if it were not tilted."""
    box, x = system.need_box(), system.atoms.read("x").copy()
    for k in np.flatnonzero(box.periodic):
        x[:, k] = np.where(x[:, k] < box.lo[k], x[:, k] + box.lengths[k], x[:, k])
        x[:, k] = np.where(x[:, k] >= box.lo[k] + box.lengths[k], x[:, k] - box.lengths[k], x[:, k])
    return x


ROUND: dict[str, type[Sphere | Cylinder]] = {"bin/sphere": Sphere, "bin/cylinder": Cylinder}

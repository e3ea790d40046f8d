"""Pressures in shells around a point or an axis, by the contour of Irving and Kirkwood: the line between the atoms of a pair.

On the line s + t d, 0 <= t <= 1, with L = s_x d_y - s_y d_x and K = |s x d|, a force F d works along three ways:

    around the axis   F L^2 / rho^2,     out of the axis   F (d_x^2 + d_y^2 - L^2 / rho^2),       along it   F d_z^2
    out of a point    F (d^2 - K^2 / r^2),     around the z axis through it   F L^2 / rho^2,      the rest: to its poles

The integral of K^2 / r^2 is K atan((d^2 t + s d) / K), that of L^2 / rho^2 the same with x and y alone.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from everlet.computes.base import Compute
from everlet.errors import InputError
from everlet.forces.pair.single import PairsNear

Vectors = np.ndarray


def turned(size: np.ndarray, square: np.ndarray, along: np.ndarray, t: np.ndarray) -> np.ndarray:
    """size atan((square t + along) / size) between neighbouring t (m, n + 1)."""
    return np.diff(size[:, None] * np.arctan2(square[:, None] * t + along[:, None], size[:, None]), axis=1)


class Shells(Compute):
    """Base. `dims`: 3 around a point, 2 around an axis; `edges`: radii of shells; `centre`; `low`, `high`: along the axis."""

    dims = 3
    edges: np.ndarray
    centre: np.ndarray
    low, high = -np.inf, np.inf

    def volumes(self) -> np.ndarray:
        raise NotImplementedError

    def places(self, x: Vectors) -> Vectors:
        """Relative to the centre."""
        raise NotImplementedError

    def parts(self, s: Vectors, d: Vectors, t: np.ndarray) -> list[np.ndarray]:
        """The three works of pieces of lines between t (m, n + 1), of unit F."""
        raise NotImplementedError

    def shells(self, radius: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Numbers of shells, one more than there are: outside."""
        count = len(self.edges) - 1
        shell = np.searchsorted(self.edges, radius, side="right") - 1
        return np.where((z < self.low) | (z > self.high) | (shell >= count), count, shell)

    def motion(self) -> np.ndarray:
        """Atoms, and m v v along the three ways, of each shell (4, shells)."""
        system = self.system
        mine = (system.atoms.read("mask") & self.bit) != 0
        s, v, masses = self.places(system.atoms.read("x")[mine]), system.atoms.read("v")[mine], system.masses_of()[mine]
        shell, count = self.shells(np.sqrt((s[:, : self.dims] ** 2).sum(axis=1)), s[:, 2]), len(self.edges)
        with np.errstate(divide="ignore", invalid="ignore"):
            out = (s[:, : self.dims] * v[:, : self.dims]).sum(axis=1) / np.sqrt((s[:, : self.dims] ** 2).sum(axis=1))
            around = (s[:, 0] * v[:, 1] - s[:, 1] * v[:, 0]) / np.sqrt((s[:, :2] ** 2).sum(axis=1))
        squares = np.nan_to_num(np.stack([out, around])) ** 2
        rest = (v**2).sum(axis=1) - squares.sum(axis=0)
        weights = [np.ones(len(s)), *(system.units.mvv2e * masses * value for value in (*squares, rest))]
        return np.stack([np.bincount(shell, weight, count)[:-1] for weight in weights])

    def pairs(self) -> np.ndarray:
        """Works of pairs along the three ways (3, shells)."""
        system, box, count = self.system, self.system.need_box(), len(self.edges)
        if system.pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        found = PairsNear(system, f"compute {self.id}")
        found = found.only(((found.masks & self.bit) != 0).all(axis=1))
        strength, start, way = found.values()[0], self.places(system.atoms.read("x")[found.rows]), -found.d
        sums, reach = np.zeros((3, count)), self.edges[-1]
        for shift in product(*((-1, 0, 1) if periodic else (0,) for periodic in box.periodic)):
            s = start + np.array(shift) * box.lengths
            square, along = ((one * way)[:, : self.dims].sum(axis=1) for one in (way, s))
            t = np.clip(-along / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
            near = ((s + t[:, None] * way)[:, : self.dims] ** 2).sum(axis=1) < reach * reach
            if near.any():
                self._add(s[near], way[near], strength[near], sums)
        return sums[:, :-1]

    def _add(self, s: Vectors, d: Vectors, strength: np.ndarray, sums: np.ndarray) -> None:
        square, along, far = ((one * other)[:, : self.dims].sum(axis=1)[:, None] for one, other in ((d, d), (s, d), (s, s)))
        ends = [np.zeros((len(s), 1)), np.ones((len(s), 1))]
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(along**2 - square * (far - self.edges[1:] ** 2))
            ends += [(-along - root) / square, (-along + root) / square]
            ends += [(edge - s[:, 2:]) / d[:, 2:] for edge in (self.low, self.high) if np.isfinite(edge)]
        t = np.sort(np.clip(np.nan_to_num(np.concatenate(ends, axis=1), posinf=1.0, neginf=0.0), 0.0, 1.0), axis=1)
        middle = 0.5 * (t[:, 1:] + t[:, :-1])
        radius = np.sqrt(np.maximum(far + 2.0 * along * middle + square * middle**2, 0.0))
        shell = self.shells(radius, s[:, 2:] + middle * d[:, 2:]).ravel()
        for row, part in zip(sums, self.parts(s, d, t), strict=True):
            row += np.bincount(shell, (strength[:, None] * part).ravel(), len(row))

    def table(self, kinetic: bool) -> np.ndarray:
        """Middles of shells, atoms per volume, and pressures along the three ways, of motion and of pairs."""
        motion, pairs = self.motion(), self.pairs()
        sums = self.system.ranks.sum(np.concatenate([motion, pairs]).ravel()).reshape(7, -1) / self.volumes()
        sums[1:] *= self.system.units.nktv2p
        chosen = sums if kinetic else sums[[0, 4, 5, 6]]
        return np.stack([0.5 * (self.edges[1:] + self.edges[:-1]), *chosen], axis=1)

"""The meshes of multilevel summation, from fine to coarse, and what the charges of each make there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.forces.kspace.pppm_error import factorable
from everlet.forces.kspace.splitting import gamma, gamma_slope

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # of the virial
Three = tuple[int, int, int]


@dataclass
class Level:
    """n: parts of each edge of the box; lo, hi: its points; size: numbers along each axis; reach: a of this level."""

    n: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    size: Three
    width: np.ndarray
    reach: float
    last: bool

    @property
    def count(self) -> int:
        return int(np.prod(self.size))


def levels(mesh: Three, periodic: np.ndarray, lengths: np.ndarray, order: int, cut: float) -> list[Level]:
    """In a box that is periodic in all directions the single point of the last mesh has no charge, and is left out. An axis
    that has become one part stays as it is."""
    n, width, reach = np.array(mesh), lengths / np.array(mesh), cut
    lo, hi = np.where(periodic, 0, -order // 2), np.where(periodic, n - 1, n + order // 2)
    found: list[Level] = []
    while True:
        x, y, z = (int(parts) if whole else factorable(2 * int(b - a + 1))
                   for parts, whole, a, b in zip(n, periodic, lo, hi, strict=True))
        top = bool((n == 1).all())
        if top and periodic.all():
            break
        found.append(Level(n, lo, hi, (x, y, z), width, reach, top))
        if top:
            break
        halved = n > 1
        n, width, reach = np.where(halved, n // 2, 1), np.where(halved, 2.0 * width, width), 2.0 * reach
        lo, hi = (np.where(halved, np.where(periodic, new, bound), old) for new, bound, old in (
            (0, (lo - order) // 2, lo), (n - 1, (hi + order + 1) // 2, hi)))
    return found


def made_by_charges(level: Level, order: int, constant: float, periodic: np.ndarray) -> np.ndarray:
    """The potential at a distance from a charge 1, for all places of the mesh, and six parts of the virial: (7, *size). Of the
    last level it is that of all distances, and of no images."""
    a, away = level.reach, []
    for axis in range(3):
        reach = int(np.ceil(2.0 * a / level.width[axis])) if periodic[axis] else level.hi[axis] - level.lo[axis]
        away.append(np.arange(-reach, reach + 1) if not (level.last and periodic[axis]) else np.zeros(1, int))
    dx, dy, dz = (offsets * width for offsets, width in zip(away, level.width, strict=True))
    r = np.sqrt(dx[:, None, None] ** 2 + dy[:, None] ** 2 + dz**2)
    value, slope = gamma(r / a, order) / a, gamma_slope(r / a, order) / a**3  # the slope over r
    if not level.last:
        value -= gamma(r / (2.0 * a), order) / (2.0 * a)
        slope -= gamma_slope(r / (2.0 * a), order) / (2.0 * a) ** 3
    ways = (dx[:, None, None], dy[:, None], dz)
    place = np.ix_(*(offsets % size for offsets, size in zip(away, level.size, strict=True)))
    found = np.zeros((7, *level.size))
    for which in range(7):
        part = value if which == 0 else -slope * ways[PAIRS[which - 1][0]] * ways[PAIRS[which - 1][1]]
        np.add.at(found[which], place, constant * part)
    return found

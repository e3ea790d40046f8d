"""Points of a grid over the box, and the atoms around them.

    grid NX NY NZ      point i of NX along an edge is at i / NX of it, from its lower end on; the number along x changes fastest
"""

from __future__ import annotations

import numpy as np

from everlet.computes.grids.property_grid import cells_of
from everlet.errors import InputError, arguments
from everlet.state.box import Box
from everlet.state.system import System

BATCH = 4096  # points whose neighbours are looked for at a time


def grid_words(system: System, words: list[str], user: str, usage: str) -> tuple[int, int, int]:
    """grid NX NY NZ, which is taken off the words."""
    if words[:1] != ["grid"]:
        raise InputError(f"{user}: its points are missing", f"usage: {usage}")
    arguments(words, 4, None, usage)
    found = cells_of(system, words[1:4], user)
    del words[:4]
    return found


def numbers_of(cells: tuple[int, int, int], points: np.ndarray) -> np.ndarray:
    """Along x, y and z, from 0, of these points."""
    return np.stack([points % cells[0], points // cells[0] % cells[1], points // (cells[0] * cells[1])], axis=1)


def places_of(box: Box, cells: tuple[int, int, int], points: np.ndarray) -> np.ndarray:
    return box.from_fraction(numbers_of(cells, points) / np.array(cells))


class Around:
    """Atoms at x, with their images as far as `reach` beyond the box, ready to be looked for around points in it."""

    def __init__(self, box: Box, x: np.ndarray, reach: float):
        from scipy.spatial import cKDTree  # only here: it takes long to import

        self.reach, part = reach, box.to_fraction(x)
        self.atom = np.arange(len(x))
        heights = 1.0 / np.linalg.norm(np.linalg.inv(box.edges), axis=0)
        for axis in np.flatnonzero(box.periodic):
            part[:, axis] %= 1.0
            margin = reach / heights[axis]
            shift = np.arange(-np.ceil(margin), np.ceil(margin) + 1.0)
            part = np.repeat(part, len(shift), axis=0)
            self.atom = np.repeat(self.atom, len(shift))
            part[:, axis] += np.tile(shift, len(part) // len(shift))
            kept = np.abs(part[:, axis] - 0.5) <= 0.5 + margin
            part, self.atom = part[kept], self.atom[kept]
        self.place = box.from_fraction(part)
        self.tree = cKDTree(self.place)

    def __call__(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pairs, by point: the point, the row of the atom, the vector to its image."""
        found = self.tree.query_ball_point(points, self.reach, return_sorted=True)
        of = np.repeat(np.arange(len(points)), [len(row) for row in found])
        image = np.concatenate([np.zeros(0, np.int64), *map(np.asarray, found)]).astype(np.int64)
        return of, self.atom[image], self.place[image] - points[of]

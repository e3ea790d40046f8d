"""Voronoi cells of points in a box, on the host: what is nearer to a point than to all others, up to faces of the box that are
not periodic. In two dimensions cells are as high as the box, and have a face above and one below."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import QhullError, Voronoi

from everlet.errors import InputError
from everlet.state.box import Box

BOX = -1  # the neighbour behind a face of the box
INSIDE = 1e-9  # of the height of the box: how far points are from its faces at least, as cells of mirrored ones need room


@dataclass
class Cells:
    """Faces, each from the side of both of its points: a row `own`, the row of the neighbour or BOX, area, volume of the
    pyramid above it."""

    own: np.ndarray
    other: np.ndarray
    area: np.ndarray
    volume: np.ndarray
    lengths: list[np.ndarray]  # of the edges of each face

    def per_cell(self, n: int, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.own, values, n)


def images(x: np.ndarray, box: Box, margin: float, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Points, then their images nearer to the box than `margin`: by whole edges where it is periodic, mirrored by its other
    faces; and whose they are, BOX for mirrored ones."""
    edges = box.edges[:dimension, :dimension]
    across = np.linalg.inv(edges).T  # fractions of edges are products with its rows
    heights = 1.0 / np.sqrt((across**2).sum(axis=1))
    places, whose = x[:, :dimension] - box.lo[:dimension], np.arange(len(x))
    for axis in range(dimension):
        if not box.periodic[axis]:
            far = places @ across[axis]
            inwards = (np.clip(far, INSIDE, 1.0 - INSIDE) - far) * heights[axis] ** 2
            places = places + inwards[:, None] * across[axis]
    for axis in range(dimension):
        if box.periodic[axis]:
            most = int(np.ceil(margin / heights[axis]))
            shifts = [0, *(way * k for k in range(1, most + 1) for way in (-1, 1))]
            places = np.concatenate([places + k * edges[axis] for k in shifts])
            whose = np.concatenate([whose] * len(shifts))
            far = places @ across[axis] * heights[axis]
            near = (far > -margin) & (far < heights[axis] + margin)
            near[: len(x)] = True
            places, whose = places[near], whose[near]
    mirrored = []
    for axis in range(dimension):
        if not box.periodic[axis]:
            normal, far = across[axis] * heights[axis], places @ across[axis] * heights[axis]
            for face in (0.0, heights[axis]):
                near = np.abs(far - face) < margin
                mirrored.append(places[near] - 2.0 * (far[near] - face)[:, None] * normal)
    behind = np.concatenate(mirrored) if mirrored else np.zeros((0, dimension))
    return np.concatenate([places, behind]), np.concatenate([whose, np.full(len(behind), BOX)])


def cells_of(x: np.ndarray, box: Box, dimension: int) -> Cells:
    """Of points (n, 3), all inside the box."""
    n = len(x)
    margin = 2.5 * (box.volume / max(n, 1)) ** (1.0 / dimension)
    while True:
        places, whose = images(x, box, margin, dimension)
        try:
            found = Voronoi(places)
            reach = _reach(found, n)
        except QhullError:
            reach = np.inf
        if 2.0 * reach <= margin:
            return _faces(found, whose, n, float(box.lengths[2]) if dimension == 2 else 0.0)
        if margin > 100.0 * box.lengths.max():
            raise InputError("cells of atoms cannot be made", "are atoms at the same place?")
        margin = 2.1 * reach if np.isfinite(reach) else 2.0 * margin


def _reach(found: Voronoi, n: int) -> float:
    """The largest distance of a corner from its point, infinite if a cell is open."""
    reach = 0.0
    for k in range(n):
        region = found.regions[found.point_region[k]]
        if not region or -1 in region:
            return float("inf")
        reach = max(reach, float(((found.vertices[region] - found.points[k]) ** 2).sum(axis=1).max()))
    return float(np.sqrt(reach))


def _faces(found: Voronoi, whose: np.ndarray, n: int, height: float) -> Cells:
    pairs = np.asarray(found.ridge_points)
    rows = np.flatnonzero((pairs < n).any(axis=1))
    area, lengths = np.zeros(len(rows)), []
    for k, row in enumerate(rows):
        corners, (one, other) = found.vertices[found.ridge_vertices[row]], pairs[row]
        area[k], length = _polygon(corners, found.points[other] - found.points[one]) if not height else (
            _side(corners, height))
        lengths.append(length)
    pairs = pairs[rows]
    gap = np.sqrt(((found.points[pairs[:, 0]] - found.points[pairs[:, 1]]) ** 2).sum(axis=1))
    volume = area * gap / (4.0 if height else 6.0)
    real = area > 1e-12 * (area.max(initial=0.0))  # of a lattice, whose corners belong to many cells
    sides = [(pairs[:, a], pairs[:, b], real & (pairs[:, a] < n)) for a, b in ((0, 1), (1, 0))]
    cells = Cells(np.concatenate([own[keep] for own, _, keep in sides]),
                  np.concatenate([whose[other[keep]] for _, other, keep in sides]),
                  np.concatenate([area[keep] for *_, keep in sides]), np.concatenate([volume[keep] for *_, keep in sides]),
                  [lengths[k] for *_, keep in sides for k in np.flatnonzero(keep)])
    return _with_ends(cells, n, height) if height else cells


def _side(corners: np.ndarray, height: float) -> tuple[float, np.ndarray]:
    """Area and lengths of edges of a face that stands on a line."""
    length = float(np.sqrt(((corners[1] - corners[0]) ** 2).sum()))
    return height * length, np.array([height, length, height, length])


def _with_ends(cells: Cells, n: int, height: float) -> Cells:
    """And the faces above and below."""
    area = cells.per_cell(n, cells.volume) / height
    order, counts = np.argsort(cells.own, kind="stable"), np.bincount(cells.own, minlength=n)
    edges = np.split((cells.area / height)[order], np.cumsum(counts)[:-1])
    both = np.concatenate([np.arange(n)] * 2)
    return Cells(np.concatenate([cells.own, both]), np.concatenate([cells.other, np.full(2 * n, BOX)]),
                 np.concatenate([cells.area, area, area]), np.concatenate([cells.volume, np.zeros(2 * n)]),
                 [*cells.lengths, *edges, *edges])


def _polygon(corners: np.ndarray, normal: np.ndarray) -> tuple[float, np.ndarray]:
    """Area and lengths of edges of a flat convex polygon, whose corners are put in turn."""
    d = corners - corners.mean(axis=0)
    first = d[np.argmax((d**2).sum(axis=1))]
    second = np.cross(normal, first)
    turn = np.argsort(np.arctan2(d @ second * np.sqrt(first @ first), d @ first * np.sqrt(second @ second)))
    d = d[turn]
    along = np.roll(d, -1, axis=0) - d
    parts = np.cross(d, np.roll(d, -1, axis=0)).sum(axis=0)
    return 0.5 * float(np.sqrt((parts**2).sum())), np.sqrt((along**2).sum(axis=1))

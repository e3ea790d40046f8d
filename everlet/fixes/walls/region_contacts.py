"""Where surfaces of regions are, seen from atoms.

Seen from inside, an atom touches each face of its region, at the nearest point of that face. Seen from outside (`side out`) it
touches the nearest point of all faces. Of a region with open faces atoms touch the other faces, from both sides. Parts of a
union or an intersection are touched where no other part hides the point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from everlet.registry import Registry
from everlet.state.regions import Block, Cone, Ellipsoid, Plane, Prism, Region, Sphere, Union

Contact = tuple[np.ndarray, np.ndarray]  # distances and vectors, of all atoms
T = TypeVar("T")
# style -> function(region, x, interior, cutoff)
surfaces_of: Registry[Callable[..., Iterator[Contact]]] = Registry("region with surfaces")
FAR = np.inf  # the distance of atoms that do not touch
HALVINGS = 110  # until the root of an ellipsoid has all its digits


def contacts(region: Region, x: np.ndarray, cutoff: float, flip: bool = False
             ) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Rows of atoms (positions x) nearer than the cutoff, their distances and vectors from the surface to them; a surface each.

    flip: of the rest of space.
    """
    region.follow()
    sides = (False, True) if region.open else (region.interior != flip,)
    place = region.brought_back(x) if region.moves else x
    found = []
    for interior in sides:
        for distance, vectors in surfaces_of[region.style](region, place, interior, cutoff):
            rows = np.flatnonzero(distance < cutoff)
            vectors = vectors[rows]
            found.append((rows, distance[rows], region.turned(vectors) if region.turn else vectors))
    return found


def apart(meant: np.ndarray, vectors: np.ndarray) -> Contact:
    """Distances and vectors of those atoms that are meant."""
    return np.where(meant, np.sqrt((vectors * vectors).sum(axis=1)), FAR), vectors


def nearest(meant: np.ndarray, x: np.ndarray, points: Iterable[np.ndarray]) -> Iterator[Contact]:
    """One contact with the nearest of several points."""
    best = np.full(len(x), FAR)
    vectors = np.zeros((len(x), 3))
    for point in points:
        square = ((x - point) ** 2).sum(axis=1)
        nearer = square < best
        best[nearer], vectors[nearer] = square[nearer], (x - point)[nearer]
    yield apart(meant & np.isfinite(best), vectors)


def shut(region: Region, faces: Sequence[T]) -> list[T]:
    """Those of a region's faces that are not open; they are counted from 1."""
    return [face for number, face in enumerate(faces, 1) if number not in region.open]


def on_line(x: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The point nearest to x of the line from `first` to `last`; any dimension."""
    along = last - first
    square = (along * along).sum(axis=-1)
    part = np.clip(((x - first) * along).sum(axis=-1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return first + part[..., None] * along


@surfaces_of("block")
def of_block(region: Block, x: np.ndarray, interior: bool, cutoff: float) -> Iterator[Contact]:
    faces = shut(region, [(axis, side[axis]) for axis in range(3) for side in (region.lo, region.hi)])
    points = []
    for axis, place in faces:
        point = x.copy() if interior else np.clip(x, region.lo, region.hi)
        point[:, axis] = place
        points.append(point)
    if interior:
        inside = region.within(x)
        yield from (apart(inside, x - point) for point in points)
        return
    outside = ~np.all((x > region.lo) & (x < region.hi), axis=1)
    yield from nearest(outside, x, points if region.open else [np.clip(x, region.lo, region.hi)])


@surfaces_of("sphere")
def of_sphere(region: Sphere, x: np.ndarray, interior: bool, cutoff: float) -> Iterator[Contact]:
    d = x - region.center
    r = np.sqrt((d * d).sum(axis=1))
    meant = (r > 0.0) & ((r <= region.r) if interior else (r >= region.r))
    yield np.where(meant, np.abs(region.r - r), FAR), d * (1.0 - region.r / np.where(r > 0.0, r, 1.0))[:, None]


@surfaces_of("plane")
def of_plane(region: Plane, x: np.ndarray, interior: bool, cutoff: float) -> Iterator[Contact]:
    along = (x - region.point) @ region.normal
    yield np.where((along >= 0.0) == interior, np.abs(along), FAR), along[:, None] * region.normal


@surfaces_of("cylinder", "cone")
def of_cone(region: Cone, x: np.ndarray, interior: bool, cutoff: float) -> Iterator[Contact]:
    """In the plane of the axis and the atom: the lines of two ends and of the slope between them."""
    d = np.zeros((len(x), 3))
    d[:, region.across] = x[:, region.across] - region.center
    r, t = np.sqrt((d * d).sum(axis=1)), x[:, region.axis]
    flat, unit = np.stack([r, t], axis=1), d / np.where(r > 0.0, r, 1.0)[:, None]

    def back(point: np.ndarray) -> np.ndarray:
        """A point of that plane in space."""
        whole = point[:, :1] * unit
        whole[:, region.across] += region.center
        whole[:, region.axis] = point[:, 1]
        return whole

    straight = region.r_lo == region.r_hi
    low, high = np.array([region.r_lo, region.lo]), np.array([region.r_hi, region.hi])
    slope = on_line(flat, low, high)
    if straight:  # it may have no ends
        slope = np.stack([np.full(len(x), region.r_lo), np.clip(t, region.lo, region.hi)], axis=1)
    if interior:
        inside = region.within(x)
        levels = [np.stack([r, np.full(len(x), place)], axis=1) for place in (region.lo, region.hi)]
        for point in shut(region, [*levels, slope]):
            yield apart(inside & ((r > 0.0) | (point is not slope)), x - back(point))
        return
    ends = [on_line(flat, np.array([0.0, end[1]]), end) for end in (low, high)]
    radius = region.r_lo if straight else region.r_lo + (t - region.lo) * (region.r_hi - region.r_lo) / (region.hi - region.lo)
    outside = ~((r < radius) & (t > region.lo) & (t < region.hi))
    yield from nearest(outside, x, [back(point) for point in shut(region, [*ends, slope])])


@surfaces_of("ellipsoid")
def of_ellipsoid(region: Ellipsoid, x: np.ndarray, interior: bool, cutoff: float) -> Iterator[Contact]:
    """The nearest point has x_i = a_i^2 d_i / (t + a_i^2) with sum (x_i / a_i)^2 = 1; t by halving, the largest root."""
    d, axes = x - region.center, region.axes.copy()
    if region.system.dimension == 2:
        d[:, 2], axes[2] = 0.0, axes[:2].max()
    short, least = int(np.argmin(axes)), float(axes.min())
    weights, z = (axes / least) ** 2, np.abs(d) / axes

    def size(s: np.ndarray) -> np.ndarray:
        below = s[:, None] + weights
        return np.where(z > 0.0, (weights * z / np.where(below > 0.0, below, 1.0)) ** 2, 0.0).sum(axis=1)

    low, high = z[:, short] - 1.0, np.sqrt(((weights * z) ** 2).sum(axis=1)) - 1.0
    flat = (z[:, short] == 0.0) & (size(low) <= 1.0)  # in the middle plane, with the nearest point above it
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        above = size(middle) > 1.0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    below = np.where(flat, -1.0, 0.5 * (low + high))[:, None] + weights
    point = np.where(below > 0.0, weights * d / np.where(below > 0.0, below, 1.0), 0.0)
    rest = 1.0 - sum((point[:, k] / axes[k]) ** 2 for k in range(3) if k != short)
    point[:, short] = np.where(flat, least * np.sqrt(np.maximum(rest, 0.0)), point[:, short])
    yield apart(region.within(x) == interior, d - point)


@surfaces_of("prism")
def of_prism(region: Prism, x: np.ndarray, interior: bool, cutoff: float) -> Iterator[Contact]:
    lengths, inside, faces = region.hi - region.lo, region.within(x), []
    edges = np.array([[lengths[0], 0.0, 0.0], [region.xy, lengths[1], 0.0], [region.xz, region.yz, lengths[2]]])
    for axis in range(3):
        others = [k for k in range(3) if k != axis]
        normal = np.cross(edges[others[0]], edges[others[1]])
        normal *= np.sign(normal @ edges[axis]) / np.sqrt(normal @ normal)
        faces += [(region.lo, edges[others], normal), (region.lo + edges[axis], edges[others], -normal)]
    if interior:
        for corner, _, normal in shut(region, faces):
            along = (x - corner) @ normal
            yield np.where(inside, np.abs(along), FAR), along[:, None] * normal
        return
    yield from nearest(~inside, x, (point for face in shut(region, faces) for point in on_face(x, *face)))


def on_face(x: np.ndarray, corner: np.ndarray, edges: np.ndarray, normal: np.ndarray) -> Iterator[np.ndarray]:
    """Points of a parallelogram that can be the nearest to x: below it if it is within, and those of its sides."""
    foot = x - ((x - corner) @ normal)[:, None] * normal
    parts = np.linalg.lstsq(edges.T, (foot - corner).T, rcond=None)[0].T
    within = np.all((parts >= 0.0) & (parts <= 1.0), axis=1)
    yield np.where(within[:, None], foot, np.inf)
    a, b = edges
    for start, along in ((corner, a), (corner, b), (corner + a, b), (corner + b, a)):
        yield on_line(x, start, start + along)


@surfaces_of("union", "intersect")
def of_several(region: Union, x: np.ndarray, interior: bool, cutoff: float) -> Iterator[Contact]:
    """Surfaces of the parts, where they are surfaces of the whole."""
    joined = (region.style == "union") == interior  # what lies in another part is hidden; otherwise what does not
    for number, part in enumerate(region.parts):
        for rows, distance, vectors in contacts(part, x, cutoff, flip=not interior):
            points, seen = x[rows] - vectors, np.ones(len(rows), bool)
            for other in (one for place, one in enumerate(region.parts) if place != number):
                within = np.ones(len(rows), bool) if other.open else other.inside(points) == interior
                seen &= ~within | bool(other.open) if joined else within
            whole, shifts = np.full(len(x), FAR), np.zeros((len(x), 3))
            whole[rows], shifts[rows] = np.where(seen, distance, FAR), vectors
            yield whole, shifts


def styles_of(region: Region) -> set[str]:
    """Of its parts, or its own."""
    return set().union(*map(styles_of, region.parts)) if isinstance(region, Union) else {region.style}


def radii(region: Region, x: np.ndarray, vectors: np.ndarray, slot: int, flip: bool = False) -> np.ndarray | float:
    """Radii of curvature of surface number `slot` of `contacts`, where atoms touch it: negative from inside; 0: flat.

    As in the reference a cylinder has that of its diameter, and a cone that of its diameter at the contact, from inside and
    from outside the same. (At flat ends of cones the reference takes the number of the contact that it has looked at before.)
    """
    place = region.brought_back(x) if region.moves else x
    across = region.turned(vectors, -1.0) if region.turn else vectors
    if isinstance(region, Union):
        interior = region.interior != flip
        for part in region.parts:
            count = len(contacts(part, x[:0], 1.0, flip=not interior))
            if slot < count:
                return radii(part, place, across, slot, flip=not interior)
            slot -= count
    if isinstance(region, Sphere):
        return np.where(region.within(place), -region.r, region.r)
    if not isinstance(region, Cone):
        return 0.0
    if region.style == "cylinder":
        return np.where(across[:, region.axis] == 0.0, np.where(region.within(place), -2.0, 2.0) * region.r_lo, 0.0)
    aside = across[:, region.across]
    away = (place - across)[:, region.across] - region.center
    return np.where((aside * aside).sum(axis=1) > 0.0, -2.0 * np.sqrt((away * away).sum(axis=1)), 0.0)

"""Where surfaces of regions are, seen from atoms inside of them."""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.registry import Registry

contacts_of = Registry("region with surfaces")


def contacts(region, x, cutoff):
    """Of each surface of a region: rows of atoms (inside it, positions x) nearer than the cutoff, and vectors to them."""
    found = []
    for distance, vectors in contacts_of[region.style](region, x):
        rows = np.flatnonzero(distance < cutoff)
        found.append((rows, distance[rows], vectors[rows]))
    return found


def check_surfaces(region, user):
    """Refuse regions whose surfaces are not known."""
    if region.style not in contacts_of or not region.interior and region.style in ("block", "cylinder"):
        raise InputError(f"{user}: surfaces of region {region.name} ({region.style}{'' if region.interior else ' side out'}) "
                         "are not available", "use block or cylinder (side in), sphere or plane")
    if region.open:
        raise InputError(f"{user}: region {region.name} has open faces, which are not available", "leave out open")
    if region.moves:
        raise InputError(f"{user}: region {region.name} moves, which is not available", "leave out move and rotate")


def ends(x, axis, lo, hi):
    """Two flat faces across an axis."""
    for place in (lo, hi):
        vectors = np.zeros((len(x), 3))
        vectors[:, axis] = x[:, axis] - place
        yield np.abs(vectors[:, axis]), vectors


@contacts_of("block")
def of_block(region, x):
    for axis in range(3):
        yield from ends(x, axis, region.lo[axis], region.hi[axis])


def around(d, radius):
    """A round surface; an atom in the middle has no nearest point."""
    r = np.sqrt((d * d).sum(axis=1))
    middle = r == 0.0
    factor = 1.0 - radius / np.where(middle, 1.0, r)
    yield np.where(middle, np.inf, np.abs(radius - r)), d * factor[:, None]


@contacts_of("sphere")
def of_sphere(region, x):
    yield from around(x - region.center, region.r)


@contacts_of("cylinder")
def of_cylinder(region, x):
    d = np.zeros((len(x), 3))
    d[:, region.across] = x[:, region.across] - region.center
    yield from around(d, region.r_lo)
    yield from ends(x, region.axis, region.lo, region.hi)


@contacts_of("plane")
def of_plane(region, x):
    along = (x - region.point) @ region.normal
    yield np.abs(along), along[:, None] * region.normal

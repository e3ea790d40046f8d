"""Reference lattices of MEAM: neighbours, distances, and sums over the directions of the first ones.

    first, second   how many first and second neighbours an atom has
    ratio           distance of the second over that of the first; 0: it follows from the angle (zig, tri)
    screens         how often the screening of a pair of second neighbours counts
    shape           s1 s2 s3: squares of the partial densities of first neighbours, over that of one neighbour
    scale           distance of first neighbours over the lattice constant; 0: not for one element
"""

from __future__ import annotations

import math
from typing import NamedTuple

from everlet.errors import unknown


class Lattice(NamedTuple):
    first: int
    second: int
    ratio: float
    screens: int
    shape: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale: float = 0.0


R2, R3 = math.sqrt(2.0), math.sqrt(3.0)
TETRAHEDRON = (0.0, 0.0, 32.0 / 9.0)
LATTICES = {
    "fcc": Lattice(12, 6, R2, 4, scale=1.0 / R2),
    "bcc": Lattice(8, 6, 2.0 / R3, 4, scale=0.5 * R3),
    "hcp": Lattice(12, 6, R2, 4, (0.0, 0.0, 1.0 / 3.0), 1.0),
    "dim": Lattice(1, 0, 1.0, 0, (1.0, 2.0 / 3.0, 0.4), 1.0),
    "dia": Lattice(4, 12, math.sqrt(8.0 / 3.0), 1, TETRAHEDRON, 0.25 * R3),
    "dia3": Lattice(4, 12, math.sqrt(11.0 / 3.0), 4, TETRAHEDRON, 0.25 * R3),
    "sc": Lattice(6, 12, R2, 2, scale=1.0),
    "lin": Lattice(2, 0, 1.0, 0, (0.0, 8.0 / 3.0, 0.0), 1.0),
    "b1": Lattice(6, 12, R2, 2),
    "b2": Lattice(8, 6, 2.0 / R3, 4),
    "l12": Lattice(12, 6, R2, 4),
    "c11": Lattice(10, 0, 1.0, 0),
    "ch4": Lattice(4, 0, 1.0, 0, TETRAHEDRON),
    "zig": Lattice(2, 2, 0.0, 1, scale=1.0),
    "tri": Lattice(2, 1, 0.0, 2, scale=1.0),
}
BENT = ("zig", "tri")


def lattice(name: str, theta: float = 180.0) -> Lattice:
    """The lattice of that name; of zig and tri `theta`, in degrees, is the angle between first neighbours."""
    if name not in LATTICES:
        raise unknown("lattice of meam", name, LATTICES)
    found = LATTICES[name]
    if name not in BENT:
        return found
    half = math.radians(0.5 * theta)
    s, c = math.sin(half), math.cos(half)
    third = 4.0 * c * c * (3.0 * s**4 + c**4) - 2.4 * c * c
    return found._replace(ratio=2.0 * s, shape=(4.0 * c * c, 4.0 * (c**4 + s**4 - 1.0 / 3.0), third))

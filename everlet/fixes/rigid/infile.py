"""Bodies whose masses and moments are those of a file: atoms that overlap count too often in sums over atoms.

    COUNT
    BODY MASS X Y Z IXX IYY IZZ IXY IXZ IYZ VX VY VZ LX LY LZ TURNX TURNY TURNZ

COUNT such lines. BODY: the number of a molecule, the value of custom bodies, or the place of one in the list of groups.
Then its mass, its centre (in the box, and how many turns of the box it has made), the tensor of inertia about the centre, the
velocity of the centre, and the angular momentum. What stands behind # does not count, nor do empty lines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError, integer, number
from everlet.forces.pair.styles.table_file import Lines

WORDS = 20


@dataclass
class Given:
    """Numbers of the bodies of a file: `bodies` counted from 0, and one row of the others for each of them."""

    bodies: np.ndarray
    mass: np.ndarray
    centre: np.ndarray
    tensor: np.ndarray
    velocity: np.ndarray
    momentum: np.ndarray
    turns: np.ndarray


def read(path: str, ids: list[int]) -> Given:
    """ids: what the file calls the bodies."""
    lines, places = Lines(path), {id: k for k, id in enumerate(ids)}
    head = lines.next()
    if head is None or len(head) != 1:
        raise InputError(f"{path}: its first line has not one word", "it is how many bodies follow")
    count = integer(head[0], "a number of bodies")
    if count < 0:
        raise InputError(f"{path}: line {lines.last}: {count} bodies", "give 0 or more")
    rows: dict[int, list[float]] = {}
    while len(rows) < count:
        words = lines.next()
        if words is None or len(words) != WORDS:
            what = "is missing" if words is None else f"has {len(words)} words"
            raise InputError(f"{path}: the line of body {len(rows) + 1} of {count} {what}", f"each has {WORDS}: BODY MASS X Y "
                             "Z IXX IYY IZZ IXY IXZ IYZ VX VY VZ LX LY LZ TURNX TURNY TURNZ")
        id = integer(words[0], "a body")
        if id not in places or places[id] in rows:
            raise InputError(f"{path}: line {lines.last}: body {id} {'comes twice' if id in places else 'is not there'}",
                             "name each body of the fix once, or leave it out")
        rows[places[id]] = [number(word, "a number of a body") for word in words[1:]]
        if rows[places[id]][0] <= 0.0:
            raise InputError(f"{path}: line {lines.last}: body {id} has the mass {words[1]}", "it must be above 0")
    values = np.array(list(rows.values())).reshape(-1, WORDS - 1)
    xx, yy, zz, xy, xz, yz = values[:, 4:10].T
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    return Given(np.array(list(rows), int), values[:, 0], values[:, 1:4], tensor, values[:, 10:13], values[:, 13:16],
                 values[:, 16:19])

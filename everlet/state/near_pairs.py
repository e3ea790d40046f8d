"""Pairs of atoms that are near each other, on the host: for commands that look once."""

from __future__ import annotations

import itertools

import numpy as np

from everlet.errors import InputError
from everlet.state.box import Box


def near_pairs(box: Box, x: np.ndarray, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows i < j of atoms whose nearest images are `low` to `high` apart. All atoms must be here."""
    periodic = np.asarray(box.periodic) & [True, True, box.dimension == 3]  # flat systems have one layer
    edges = np.array([[box.lengths[0], 0.0, 0.0], [box.xy, box.lengths[1], 0.0], [box.xz, box.yz, box.lengths[2]]])
    heights = 1.0 / np.linalg.norm(np.linalg.inv(edges), axis=0)  # between opposite faces
    if (periodic & (2.0 * high > heights)).any():
        raise InputError(f"a distance of {high:g} is more than half of the box: an atom could be found twice",
                         "use a smaller distance, or replicate the box")
    place = box.to_fraction(x)
    place[:, periodic] %= 1.0
    count = np.maximum(np.floor(heights / max(high, 1e-9)).astype(int), 1)
    count = np.minimum(count, max(int(np.cbrt(len(x))) + 1, 1))
    cell = np.clip((place * count).astype(int), 0, count - 1)
    order = np.argsort(cell @ np.array([1, count[0], count[0] * count[1]]), kind="stable")
    keys = (cell @ np.array([1, count[0], count[0] * count[1]]))[order]
    first, second = [], []
    for shift in itertools.product((-1, 0, 1), repeat=3):
        there = cell + np.array(shift)
        inside = (periodic | ((there >= 0) & (there < count))).all(axis=1)
        key = (there % count) @ np.array([1, count[0], count[0] * count[1]])
        start, stop = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        number = np.where(inside, stop - start, 0)
        i = np.repeat(np.arange(len(x)), number)
        j = order[np.repeat(start, number) + np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)]
        first.append(i[i < j])
        second.append(j[i < j])
    both = np.unique(np.stack([np.concatenate(first), np.concatenate(second)], axis=1), axis=0)  # few cells: found twice
    i, j = both[:, 0], both[:, 1]
    apart = place[j] - place[i]
    apart[:, periodic] -= np.rint(apart[:, periodic])
    r2 = np.full(len(i), np.inf)
    for image in itertools.product(*((-1.0, 0.0, 1.0) if box.triclinic and wraps else (0.0,) for wraps in periodic)):
        r2 = np.minimum(r2, (((apart + np.array(image)) @ edges) ** 2).sum(axis=1))
    keep = (r2 >= low * low) & (r2 <= high * high)
    return i[keep], j[keep]

"""Axes of inertia by Jacobi's method: the largest element beside the diagonal is turned away until none is left.

Where two moments are equal, axes are not unique, and their signs never are: rotations by noise and errors of a step depend on
which are taken. So the method, the order of its steps and that of the axes are those of the reference.
"""

from __future__ import annotations

import numpy as np

PLACES = np.array([[0, 1], [0, 2], [1, 2]])
SWEEPS = 150
NO_INERTIA = 1e-7  # of the largest moment: less is none


def principal(tensors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Moments (n, 3) in ascending order, and axes as columns of (n, 3, 3), of symmetric matrices (n, 3, 3)."""
    m, turned = tensors.copy(), np.broadcast_to(np.eye(3), tensors.shape).copy()  # rows of `turned` are axes
    all_rows = np.arange(len(m))
    for _ in range(SWEEPS):
        beside = m[:, PLACES[:, 0], PLACES[:, 1]]
        i, j = PLACES[np.abs(beside).argmax(axis=1)].T
        off, ii, jj = m[all_rows, i, j], m[all_rows, i, i], m[all_rows, j, j]
        rows = np.flatnonzero((off != 0.0) & ~((ii + off == ii) & (jj + off == jj)))
        if not len(rows):
            break
        i, j, off, gap = i[rows], j[rows], off[rows], (jj - ii)[rows]
        kappa = gap / (2.0 * off)
        t = np.where(gap == 0.0, 1.0, np.copysign(1.0 / (np.sqrt(1.0 + kappa * kappa) + np.abs(kappa)), kappa))
        c = 1.0 / np.sqrt(1.0 + t * t)
        s = c * t
        m[rows, i, i] -= t * off
        m[rows, j, j] += t * off
        m[rows, i, j] = m[rows, j, i] = 0.0
        k = 3 - i - j
        at_i, at_j = m[rows, i, k], m[rows, j, k]
        m[rows, i, k] = m[rows, k, i] = c * at_i - s * at_j
        m[rows, j, k] = m[rows, k, j] = s * at_i + c * at_j
        first, second = turned[rows, i], turned[rows, j]
        turned[rows, i] = c[:, None] * first - s[:, None] * second
        turned[rows, j] = s[:, None] * first + c[:, None] * second
    moments = m[:, [0, 1, 2], [0, 1, 2]]
    for place in (0, 1):  # the least of those left comes next, in exchange
        least = place + moments[:, place:].argmin(axis=1)
        for values in (moments, turned):
            values[all_rows, place], values[all_rows, least] = values[all_rows, least].copy(), values[all_rows, place].copy()
    return moments, turned.transpose(0, 2, 1)


def frames(tensors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As `principal`, with axes of a right-handed frame, and moments that are next to nothing beside others 0."""
    moments, axes = principal(tensors)
    moments[moments < NO_INERTIA * moments.max(axis=1, keepdims=True)] = 0.0
    axes[:, :, 2] *= np.sign(np.linalg.det(axes))[:, None]
    return moments, axes


def quaternions(axes: np.ndarray) -> np.ndarray:
    """Unit quaternions (n, 4) of frames whose axes are the columns of (n, 3, 3)."""
    xx, yy, zz = axes[:, 0, 0], axes[:, 1, 1], axes[:, 2, 2]
    squares = 0.25 * np.stack([xx + yy + zz + 1, xx - yy - zz + 1, yy - xx - zz + 1, zz - xx - yy + 1], axis=1)
    a, b, c = axes[:, 2, 1], axes[:, 0, 2], axes[:, 1, 0]
    d, e, f = axes[:, 1, 2], axes[:, 2, 0], axes[:, 0, 1]
    w, x, y, z = np.sqrt(np.maximum(squares, 0.0)).T * 4.0
    with np.errstate(divide="ignore", invalid="ignore"):
        ways = np.stack([np.stack([w / 4, (a - d) / w, (b - e) / w, (c - f) / w], axis=1),
                         np.stack([(a - d) / x, x / 4, (f + c) / x, (b + e) / x], axis=1),
                         np.stack([(b - e) / y, (f + c) / y, y / 4, (a + d) / y], axis=1),
                         np.stack([(c - f) / z, (b + e) / z, (a + d) / z, z / 4], axis=1)], axis=1)
    found = ways[np.arange(len(axes)), squares.argmax(axis=1)]
    return found / np.linalg.norm(found, axis=1, keepdims=True)

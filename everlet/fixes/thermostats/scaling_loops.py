"""What thermostats that scale velocities do to each atom."""

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, local, portable


@local
@portable
def scale(i, v: f64[:, 3], mask: i32[:], bit: i32, factor: f64[:]):
    if mask[i] & bit:
        for k in range(3):
            v[i, k] = v[i, k] * factor[0]


SCALE = Kernel(scale)

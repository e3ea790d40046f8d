"""The product of the charge matrix with one vector: what it costs not to have both in one pass."""

from __future__ import annotations

from everlet.fixes.charges.matrix import FILLING
from everlet.portable import Kernel, Space, f64, i32, i64, portable


@portable
def multiply_one(i, kind: i32[:], eta: f64[:], depth: i64, length: i32[:], column: i32[:], value: f64[:], which: i64,
                 d: f64[:], product: f64[:]):
    """Of the first or the second number of atoms."""
    base = i * depth
    s = lanes(0.0)
    for q in lane_range(i64(length[i])):
        j = load(column, base + q)
        s = fma(load(value, base + q), gather(d, j + i32(which), True), s)
    total = f64(lane_sum(s)) + eta[kind[i]] * d[2 * i + which]
    if leader():
        product[2 * i + which] = total
    return d[2 * i + which] * total


def product(space: Space) -> Kernel:
    return Kernel(multiply_one, sums=1, team=space.shared(FILLING))

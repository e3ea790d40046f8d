"""Kernels of the study of layouts: items of eight values, one cache line if these lie side by side."""

from __future__ import annotations

from everlet.portable import f64, i32, portable


@portable
def one_value(i, order: i32[:], v: f64[:, 8], out: f64[:]):
    """One value of every item, in order: a mask, a type, one component."""
    out[i] = v[i, 0]


@portable
def all_values(i, order: i32[:], v: f64[:, 8], out: f64[:]):
    """All values of every item, in order: an integrator."""
    total = 0.0
    for k in range(8):
        total += v[i, k]
    out[i] = total


@portable
def values_in_random_order(i, order: i32[:], v: f64[:, 8], out: f64[:]):
    """All values of items in random order: neighbours of an atom before sorting."""
    j = order[i]
    total = 0.0
    for k in range(8):
        total += v[j, k]
    out[i] = total

"""The energy that charges have by themselves."""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, portable


@portable
def self_loop(i, q: f64[:], type: i32[:], factor: f64[:]):
    """factor q^2 of atom i; one factor for each type."""
    return factor[type[i]] * q[i] * q[i]


SELF = Kernel(self_loop, 1)

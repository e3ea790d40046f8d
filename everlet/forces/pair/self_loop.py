"""The energy that charges have by themselves."""

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, portable


@portable
def self_loop(i, q: f64[:], type: i32[:], factor: f64[:]):
    """factor q^2 of atom i; one factor for each type."""
    return factor[type[i]] * q[i] * q[i]


@portable
def self_peratom(i, q: f64[:], type: i32[:], factor: f64[:], scale: f64, energy: f64[:]):
    """The same, added to the energy of atom i."""
    energy[i] += scale * factor[type[i]] * q[i] * q[i]


SELF, SELF_PERATOM = Kernel(self_loop, 1), Kernel(self_peratom)

"""Loops of the slab correction."""

from __future__ import annotations

from everlet.portable import f64, portable


@portable
def moments(i, x: f64[:, 4], q: f64[:]):
    """q z and q z^2."""
    return q[i] * x[i, 2], q[i] * x[i, 2] * x[i, 2]


@portable
def push(i, x: f64[:, 4], q: f64[:], factor: f64, moment: f64, charge: f64, f: f64[:, 3]):
    f[i, 2] += factor * q[i] * (moment - charge * x[i, 2])


@portable
def of_atoms(i, x: f64[:, 4], q: f64[:], factor: f64, one: f64, two: f64, charge: f64, uniform: f64, energy: f64[:]):
    """The energy of atom i: half of what its force would be from."""
    z = x[i, 2]
    energy[i] += factor * q[i] * (z * one - 0.5 * (two + charge * z * z) - charge * uniform)

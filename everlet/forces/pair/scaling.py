"""Forces of a style times the factor of hybrid/scaled, p.factor. Energies stay as they are: the ledger has them both ways.

(`pair`, `bond` and `angle` are what loops call the functions that are made here.)
"""

from __future__ import annotations

import functools

from everlet.portable import Portable, portable


@functools.cache
def scaled_pair(formula: Portable) -> Portable:
    @portable
    def scaled(r2, p, data):
        strength, energy = formula(r2, p, data)
        return p.factor * strength, energy

    return scaled


@functools.cache
def scaled_charges(formula: Portable) -> Portable:
    @portable
    def scaled(r2, p, data, q_i, q_j):
        strength, energy, pull, potential = formula(r2, p, data, q_i, q_j)
        return p.factor * strength, energy, p.factor * pull, potential

    return scaled


@functools.cache
def scaled_slopes(formula: Portable) -> Portable:
    """Of an embedded-atom style, after its `approach`."""

    @portable
    def scaled(a, b, c, p, data, slope_i, slope_j):
        strength, energy = formula(a, b, c, p, data, slope_i, slope_j)
        return p.factor * strength, energy

    return scaled


@functools.cache
def scaled_bond(formula: Portable) -> Portable:
    @portable
    def scaled(r, u, du, zeta, p, data):
        energy, along, weight = formula(r, u, du, zeta, p, data)
        return energy, p.factor * along, p.factor * weight

    return scaled


@functools.cache
def scaled_angle(formula: Portable) -> Portable:
    """Of a linear style: dP/dzeta is not asked for."""

    @portable
    def scaled(r, u, du, s, v, dv, c, p, data):
        value, first, second, turn = formula(r, u, du, s, v, dv, c, p, data)
        return value, p.factor * first, p.factor * second, p.factor * turn

    return scaled

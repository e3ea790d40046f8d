"""Pairs of atoms three bonds apart, as force fields have them that weight them dihedral by dihedral: no cutoff, no switch, and
Lennard-Jones coefficients of their own. The pair style says what they are, dihedral styles compute them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.portable import Portable, lookup, portable, rsqrt


@dataclass(frozen=True)
class OneFour:
    """function(r2, p, data, q_i, q_j) -> force / r and energy of the van der Waals part, then of the Coulomb part.

    fields   names of the parameters p
    numbers  (n+1, n+1, fields) their values, by types of the two atoms
    data     other numbers; data[0] is C
    dihedral the style of dihedrals that weights them
    angles   the styles of angles that add it for their ends
    counts   what the energy of such an end counts as
    """

    function: Portable
    fields: tuple[str, ...]
    numbers: np.ndarray
    data: np.ndarray
    dihedral: str = "charmm"
    angles: tuple[str, ...] = ()
    counts: str = ""


@portable
def lennard_jones(r2, p):
    ir2 = 1.0 / r2
    ir6 = ir2 * ir2 * ir2
    return ir6 * (p.a * ir6 - p.b) * ir2, ir6 * (p.c * ir6 - p.d)


@portable
def bare(r2, p, data, q_i, q_j):
    """And C q_i q_j / r."""
    strength, energy = lennard_jones(r2, p)
    ir = rsqrt(r2)
    k = lookup(data, 0.0) * q_i * q_j * ir
    return strength, energy, k * ir * ir, k


@portable
def in_a_solvent(r2, p, data, q_i, q_j):
    """And C q_i q_j / r^2."""
    strength, energy = lennard_jones(r2, p)
    ir2 = 1.0 / r2
    k = lookup(data, 0.0) * q_i * q_j * ir2
    return strength, energy, 2.0 * k * ir2, k


@portable
def lowered(r2, p, data, q_i, q_j):
    """Energies by constants lower, so that they go on to those beyond the inner distance; p.shift is that of Lennard-Jones."""
    strength, energy, pull, potential = bare(r2, p, data, q_i, q_j)
    return strength, energy - p.shift, pull, potential


@portable
def lowered_with_shifted_force(r2, p, data, q_i, q_j):
    """And C q_i q_j (1/r + r/r_q^2 - 2/r_q); data[1] is r_q^2."""
    strength, energy, pull, potential = lowered(r2, p, data, q_i, q_j)
    k = lookup(data, 0.0) * q_i * q_j
    ir, end = rsqrt(r2), rsqrt(lookup(data, 1.0))
    return strength, energy, k * (ir * ir - end * end) * ir, k * (ir + r2 * ir * end * end - 2.0 * end)

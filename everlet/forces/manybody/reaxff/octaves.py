"""Slopes of pair energies to be looked up: (dE/dr)/r of van der Waals, and of Coulomb for the product of charges 1.

In each of 64 parts of every octave of r^2 a slope is a polynomial of fifth order. Its error is about 1e-12 of the slope: sums
of forces do not feel it. Energies and virials, at the steps that ask for them, are computed by their formulas.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from everlet.forces.octaves import Octaves

OCTAVES = 21  # from the octave of the squared cutoff downwards: to a hundredth of an Angstrom


def slopes(r2: np.ndarray, p: Any, power: float, low: float, high: float, kind: dict[str, bool]
           ) -> tuple[np.ndarray, np.ndarray]:
    """Of both energies, divided by r (nonbonded_loops.py: by_formula)."""
    r, width = np.sqrt(r2), 1.0 / (high - low)
    x = (r - low) * width
    tap = 1.0 + x**4 * (-35.0 + x * (84.0 + x * (-70.0 + 20.0 * x)))
    tap_slope = -140.0 * width * x**3 * (1.0 - x) ** 3
    grown = r**power
    f13 = (grown + p.shield) ** (1.0 / power) if kind["SHIELDED"] else r
    f13_slope = f13 / (grown + p.shield) * grown / r if kind["SHIELDED"] else np.ones_like(r)
    half = np.exp(0.5 * p.alpha * (1.0 - f13 * p.inverse_size))
    e = p.D * half * (half - 2.0)
    slope = -p.D * p.alpha * p.inverse_size * half * (half - 1.0) * f13_slope
    if kind["WALL"]:
        wall = p.e_core * np.exp(p.a_core * (1.0 - r * p.inverse_core))
        e, slope = e + wall, slope - wall * p.a_core * p.inverse_core
    if kind["LG"]:
        lg = 1.0 / (r2**3 + p.r6_lg)
        e, slope = e - p.c_lg * lg, slope + 6.0 * p.c_lg * lg * lg * r**5
    cube = r2 * r + p.gamma3
    root = cube ** (-1.0 / 3.0)
    return (tap * slope + tap_slope * e) / r, (tap_slope * root - tap * root * r2 / cube) / r


def tables(fields: tuple[str, ...], numbers: np.ndarray, power: float, low: float, high: float, kind: dict[str, bool]
           ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All tables, and where those of a pair of types begin, for slopes of both energies."""
    octaves = Octaves(high, OCTAVES)
    kinds, parts, known = len(numbers), list[np.ndarray](), dict[bytes, tuple[int, int]]()
    first, second = np.zeros((kinds, kinds)), np.zeros((kinds, kinds))
    for i in range(kinds):
        for j in range(kinds):
            p = SimpleNamespace(**dict(zip(fields, numbers[i, j].tolist(), strict=True)))
            if p.cut2 <= 0.0:
                continue
            key = numbers[i, j].tobytes()
            if key not in known:
                known[key] = octaves.size * len(parts), octaves.size * (len(parts) + 1)
                parts += [octaves.table(values) for values in slopes(octaves.points, p, power, low, high, kind)]
            first[i, j], second[i, j] = known[key]
    return (np.concatenate(parts) if parts else np.zeros(1)), first, second

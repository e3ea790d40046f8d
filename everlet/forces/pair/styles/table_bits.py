"""Distances of bitmap tables: every octave of s = r^2 is divided into equal parts.

A table of 2^n rows has m bits for the part of an octave and n - m bits for the octave. They are what a float32 has in its
exponent and in the front of its mantissa, so that the bits of float32(s), without the last 23 - m, count the parts of all
octaves one after the other (word `leading_bits`). A table begins at the first part that is not below the inner distance, or,
if the octaves of both distances agree in their upper bits, at the beginning of these octaves.

The rows of files are in the order of the lower n bits of that count: it begins anew somewhere in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError

MANTISSA, EXPONENT = 23, 8  # bits of a float32
FEWEST, MOST = 3, 16  # bits for the part of an octave; more parts are not counted exactly in single precision


@dataclass
class Bits:
    """A table of 2^n rows: `s` in the order of files, `order` those rows sorted."""

    shift: int  # bits of a float32 that do not count
    s: np.ndarray
    order: np.ndarray

    @property
    def first(self) -> float:
        """The count of the first sorted row."""
        return float(np.float32(self.s[self.order[0]]).view(np.int32) >> self.shift)


def divide(inner: float, outer: float, n: int) -> Bits:
    """The rows of a table from `inner` to `outer`."""
    octaves = outer**2 / 2.0 ** np.floor(np.log2(inner**2))  # how much must be told apart
    upper = next((k for k in range(EXPONENT + 1) if 2.0 ** (2**k) >= octaves), EXPONENT + 1)
    parts = n - upper
    if upper > EXPONENT or not FEWEST <= parts <= MOST:
        raise InputError(f"a bitmap table of 2^{n} rows cannot reach from {inner:g} to {outer:g}",
                         f"use bitmap {upper + FEWEST} to {upper + MOST}" if upper <= EXPONENT else "use another spacing")
    shift = MANTISSA - parts
    above = -1 << (n + shift)  # the bits that are not in the number of a row
    low, high = (int(np.float32(r * r).view(np.int32)) & above for r in (inner, outer))
    rows = np.arange(1 << n, dtype=np.int32) << shift
    near, far = ((rows | np.int32(bits)).view(np.float32).astype(np.float64) for bits in (low, high))
    s = np.where(near < inner * inner, far, near)
    return Bits(shift, s, np.argsort(s))

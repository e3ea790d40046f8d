"""s^(-1/3) without exp and log: a guess from a table of parts of octaves, and one step to the last digit.

With e = 1 - s y^3 the root is y (1 - e)^(-1/3) = y (1 + e/3 + 2 e^2/9 + …); guesses are so good that |e| < 0.004.
"""

from __future__ import annotations

import numpy as np

from everlet.portable import leading_bits, least, lookup, most, portable

PARTS = 7  # bits of an octave
SHIFT = 23 - PARTS  # bits of a float32 that are left out
LOW, HIGH = -24, 24  # octaves: from 6e-8 to 1.6e7
FIRST = (127 + LOW) << PARTS
LAST = ((HIGH - LOW) << PARTS) - 1


def guesses() -> np.ndarray:
    """The table: in the middle of each part."""
    k = np.arange(LAST + 1)
    inside = (k & ((1 << PARTS) - 1)) + 0.5
    return (2.0 ** ((k >> PARTS) + LOW) * (1.0 + inside / (1 << PARTS))) ** (-1.0 / 3.0)


@portable
def inverse_cube_root(s, roots):
    """Of numbers between 2^LOW and 2^HIGH; `roots` are the guesses."""
    y = lookup(roots, least(most(leading_bits(s, SHIFT) - FIRST, 0.0), LAST))
    e = 1.0 - s * (y * y) * y
    near = e * (e * (e * (e * (91.0 / 729.0) + 35.0 / 243.0) + 14.0 / 81.0) + 2.0 / 9.0) + 1.0 / 3.0
    return y * e * near + y

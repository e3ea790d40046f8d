"""How easily charges pass along a bond: fix acks2/reaxff, and what its potentials do to energies."""

from __future__ import annotations

from everlet.portable import portable, where

EV_TO_KCAL = 23.02


@portable
def softness(y):
    """y^3 (1 - y)^6 of a length y, in parts of the longest one, and its slope; 0 from y = 1 on."""
    rest = where(y < 1.0, 1.0 - y, 0.0)
    most_of_it = y * y * (rest * rest) * (rest * rest) * rest
    return most_of_it * y * rest, most_of_it * (3.0 - 9.0 * y)

"""Mixing rules: coefficients of a pair of unlike types from those of the like types.

    rule         length                          energy
    geometric    sqrt(s1 s2)                     sqrt(e1 e2)
    arithmetic   (s1 + s2) / 2                   sqrt(e1 e2)
    sixthpower   ((s1^6 + s2^6) / 2)^(1/6)       2 sqrt(e1 e2) s1^3 s2^3 / (s1^6 + s2^6)
"""

from __future__ import annotations

import math

from everlet.errors import InputError

RULES = ("geometric", "arithmetic", "sixthpower")


def geometric(a: float, b: float, what: str) -> float:
    """sqrt(a b); `what` names the value in the error."""
    if a * b < 0.0:
        raise InputError(f"{what} of {a:g} and {b:g} has no geometric mean: the signs differ",
                         "give pair_coeff for this pair of types")
    return math.sqrt(a * b)


def mix_length(rule: str, a: float, b: float, what: str = "length") -> float:
    if rule == "geometric":
        return geometric(a, b, what)
    if rule == "arithmetic":
        return 0.5 * (a + b)
    return (0.5 * (a**6 + b**6)) ** (1.0 / 6.0)


def mix_energy(rule: str, a: float, b: float, length_a: float, length_b: float, what: str = "energy") -> float:
    mean = geometric(a, b, what)
    if rule != "sixthpower" or mean == 0.0:
        return mean
    return 2.0 * mean * length_a**3 * length_b**3 / (length_a**6 + length_b**6)

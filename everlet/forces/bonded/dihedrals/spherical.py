"""E = sum over i of C_i {u_i - cos[K_i (phi - a_i)]} {v_i - cos[L_i (theta123 - b_i)]} {w_i - cos[M_i (theta234 - c_i)]}.

    dihedral_coeff TYPE n C1 K1 a1 u1 L1 b1 v1 M1 c1 w1 ... (a, b, c in degrees)
"""

from __future__ import annotations

import math

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.bonded.series import Series
from everlet.portable import cos, portable

LETTERS = ("e", "k", "a", "u", "l", "b", "v", "m", "c", "w")


@dihedral_style("spherical")
class Spherical(Series, DihedralStyle):
    example = {f"{letter}1": value for letter, value in zip(LETTERS, (2, 1, 20, 1, 1, 90, 0.5, 2, 100, 0.3), strict=True)}

    def read(self, words: list[str]) -> dict[str, float]:
        usage = "dihedral_coeff TYPE n C1 K1 a1 u1 L1 b1 v1 M1 c1 w1 ..."
        arguments(words, 11, None, usage)
        count = integer(words[0], "n")
        if count < 1 or len(words) != 10 * count + 1:
            raise InputError(f"dihedral style spherical: n is {count}, and {len(words) - 1} numbers follow",
                             f"ten for each: {usage}")
        return {f"{LETTERS[k % 10]}{k // 10 + 1}": number(word) for k, word in enumerate(words[1:])}

    def words(self, values: dict[str, float]) -> list[float]:
        return [len(values) // 10, *values.values()]

    def parameters(self, values: dict[str, float]) -> dict[str, float]:
        return {name: math.radians(value) if name[0] in "abc" else value for name, value in values.items()}

    @portable
    def energy(phi, theta123, theta234, p):
        total = 0.0 * phi
        for m in range(1, len(vars(p)) // 10 + 1):
            e, k, a, u, m1, b, v, m2, c, w = (getattr(p, f"{letter}{m}") for letter in LETTERS)
            total = total + (e * (u - cos(k * (phi - a))) * (v - cos(m1 * (theta123 - b))) * (w - cos(m2 * (theta234 - c))))
        return total

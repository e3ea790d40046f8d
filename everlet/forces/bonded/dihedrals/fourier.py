"""E = sum over i = 1 ... m of K_i [1 + cos(n_i phi - d_i)].   dihedral_coeff TYPE m K1 n1 d1 ... Km nm dm (degrees)"""

from __future__ import annotations

import math

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.bonded.series import Series
from everlet.portable import cos, portable


@dihedral_style("fourier")
class Fourier(Series, DihedralStyle):
    example = {"k1": 3.0, "n1": 2.0, "d1": 180.0, "k2": 1.0, "n2": 1.0, "d2": 20.0}

    def read(self, words: list[str]) -> dict[str, float]:
        arguments(words, 4, None, "dihedral_coeff TYPE m K1 n1 d1 ...")
        count = integer(words[0], "m")
        found: dict[str, float] = {}
        if count < 1 or len(words) != 3 * count + 1:
            raise InputError(f"dihedral style fourier: m is {count}, and {len(words) - 1} numbers follow",
                             "three for each: dihedral_coeff TYPE m K1 n1 d1 ...")
        for m in range(count):
            k, n, d = words[3 * m + 1 : 3 * m + 4]
            if integer(n, "n") < 0:
                raise InputError(f"dihedral style fourier: n is at least 0, found {n}", "correct it")
            found |= {f"k{m + 1}": number(k, "K"), f"n{m + 1}": float(integer(n, "n")), f"d{m + 1}": number(d, "d")}
        return found

    def words(self, values: dict[str, float]) -> list[float]:
        return [len(values) // 3, *values.values()]

    def parameters(self, values: dict[str, float]) -> dict[str, float]:
        return {name: math.radians(value) if name[0] == "d" else value for name, value in values.items()}

    @portable
    def energy(phi, p):
        total = 0.0 * phi
        for m in range(1, len(vars(p)) // 3 + 1):
            k, n, d = (getattr(p, f"{letter}{m}") for letter in "knd")
            total = total + k * (1.0 + cos(n * phi - d))
        return total

"""E = sum over m = 1 ... n of A_m cos^(m-1) phi.   dihedral_coeff TYPE n A1 ... An"""

from __future__ import annotations

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.bonded.series import Series
from everlet.portable import portable


@dihedral_style("nharmonic")
class Nharmonic(Series, DihedralStyle):
    example = {"a1": 1.0, "a2": -2.0, "a3": 0.7}

    def read(self, words: list[str]) -> dict[str, float]:
        arguments(words, 2, None, "dihedral_coeff TYPE n A1 ... An")
        count = integer(words[0], "n")
        if count < 1 or len(words) != count + 1:
            raise InputError(f"dihedral style nharmonic: n is {count}, and {len(words) - 1} numbers follow",
                             "usage: dihedral_coeff TYPE n A1 ... An")
        return {f"a{m + 1}": number(word, f"A{m + 1}") for m, word in enumerate(words[1:])}

    def words(self, values: dict[str, float]) -> list[float]:
        return [len(values), *values.values()]

    @portable
    def energy(cosine, p):
        total = 0.0 * cosine
        for m in range(len(vars(p)), 0, -1):
            total = total * cosine + getattr(p, f"a{m}")
        return total

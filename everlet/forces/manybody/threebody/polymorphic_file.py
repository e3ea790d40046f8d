"""Files of pair style polymorphic.

    # …                                       comments; the first may have UNITS: metal
    n eta                                     elements; 0, 1 or 3: the form of the energy
    number mass name                          n lines
    n_r n_theta n_x x_max
    r_c xi                                    a line for each pair: 1 1, 2 2 … n n, 1 2, 1 3 … 1 n, 2 3 …
    U, V and W of each pair                   all U, then all V, then all W: n_r numbers each, at r from 0 to r_c
    P of each pair; of all J I K if eta is 3  n_r numbers, from minus to plus the largest r_c
    G of all J I K, K running fastest         n_theta numbers, of cosines from -1 to 1
    F of each pair                            n_x numbers, from 0 to x_max
"""

from __future__ import annotations

from itertools import product

import numpy as np

from everlet.forces.potential_file import PotentialFile

FORMS = (0, 1, 3)


class PolymorphicFile:
    """`tables[name]` by elements: of pairs in both orders, of J I K."""

    def __init__(self, name: str, units: str):
        self.file = file = PotentialFile(name)
        factor = file.energy_factor(units)
        words = file.words("the number of elements")
        n, self.eta = self._counts(words, ("elements", "eta"), (1, 0))
        if self.eta not in FORMS:
            raise file.fail(f"eta is {self.eta}", "it is 0, 1 or 3")
        self.names = [self._element(file.words("an element")) for _ in range(n)]
        words = file.words("sizes of tables")
        if len(words) != 4:
            raise file.fail(f"{len(words)} words", "give n_r n_theta n_x x_max")
        n_r, n_theta, n_x = self._counts(words[:3], ("n_r", "n_theta", "n_x"), (6, 6, 6))
        self.x_max = file.number(words[3], "x_max")
        pairs = [(k, k) for k in range(n)] + [(i, j) for i in range(n) for j in range(i + 1, n)]
        triples = list(product(range(n), repeat=3))
        self.cut: dict[tuple[str, ...], float] = {}
        self.xi: dict[tuple[str, ...], float] = {}
        for pair in pairs:
            words = file.words("a cutoff and xi")
            if len(words) != 2:
                raise file.fail(f"{len(words)} words", "give r_c xi")
            for key in self._keys(pair):
                self.cut[key], self.xi[key] = file.number(words[0], "r_c"), file.number(words[1], "xi")
        if self.x_max <= 0.0 or min(self.cut.values()) <= 0.0:
            raise file.fail("x_max and cutoffs must be more than 0")
        scaled = {"U": factor, "F" if self.eta == 1 else "V": factor}
        self.tables: dict[str, dict[tuple[str, ...], np.ndarray]] = {}
        for letter, places, size in (("U", pairs, n_r), ("V", pairs, n_r), ("W", pairs, n_r),
                                     ("P", triples if self.eta == 3 else pairs, n_r), ("G", triples, n_theta),
                                     ("F", pairs, n_x)):
            found = self.tables[letter] = {}
            for place in places:
                table = scaled.get(letter, 1.0) * file.table(size, f"{letter} of {' '.join(self.names[k] for k in place)}")
                found |= dict.fromkeys(self._keys(place), table)
        file.end("the last table")

    def _keys(self, place: tuple[int, ...]) -> list[tuple[str, ...]]:
        names = tuple(self.names[k] for k in place)
        return [names, names[::-1]] if len(names) == 2 else [names]

    def _counts(self, words: list[str], names: tuple[str, ...], least: tuple[int, ...]) -> list[int]:
        if len(words) != len(names):
            raise self.file.fail(f"{len(words)} words", f"give {' '.join(names)}")
        found = [self.file.integer(word, name) for word, name in zip(words, names, strict=True)]
        for count, name, low in zip(found, names, least, strict=True):
            if count < low:
                raise self.file.fail(f"{name} is {count}", f"give {low} or more")
        return found

    def _element(self, words: list[str]) -> str:
        if len(words) != 3:
            raise self.file.fail(f"{len(words)} words", "give number mass name")
        return words[2]

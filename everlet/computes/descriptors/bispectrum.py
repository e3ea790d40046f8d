"""What computes of bispectrum components share: their arguments, and which atoms they look at.

    compute ID group STYLE rcutfac rfac0 twojmax R_1 R_2 … w_1 w_2 … [keyword values …]

    R, w                    radius and weight of each type: neighbours are within rcutfac (R_i + R_j)
    rmin0 R, switchflag 0|1, bzeroflag 0|1, bnormflag 0|1, wselfallflag 0|1          as in parameter files of pair style snap
    switchinnerflag 0|1, sinner S_1 S_2 …, dinner D_1 D_2 …                          the same, one value for each type
    chem N e_1 e_2 …        N densities, and which of them (0 … N-1) each type adds to
    quadraticflag 0|1       half the square of each component and the products of each two follow the components
    bikflag 0|1, dgradflag 0|1                                                       compute snap only

Atoms of the group have components; their neighbours count in any group.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from everlet.computes.descriptors.described import Described
from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.forces.descriptors.base import Batch
from everlet.forces.descriptors.products import products_too, width
from everlet.forces.manybody.snap.environments import Environments
from everlet.forces.manybody.snap.files import LISTS, Settings, limits

FLAGS = ("switchflag", "bzeroflag", "bnormflag", "wselfallflag", "switchinnerflag")
ROWS = ("bikflag", "dgradflag")
REFUSED = ("nnn", "wmode", "delta")


class Bispectrum(Described):
    """Reads the arguments."""

    style = ""

    def read(self, words: list[str]) -> None:
        n = self.types
        usage = f"compute ID group {self.style} rcutfac rfac0 twojmax and {n} radii and {n} weights, one for each type"
        arguments(words, 3 + 2 * n, None, usage)
        settings = Settings(f"compute {self.id}")
        self.settings = settings
        for key in ("rcutfac", "rfac0", "twojmax"):
            self._set(key, words.pop(0))
        radius = [number(words.pop(0), f"the radius of type {k + 1}") for k in range(n)]
        weight = [number(words.pop(0), f"the weight of type {k + 1}") for k in range(n)]
        for k, value in enumerate(radius):
            if value <= 0.0:
                raise InputError(f"the radius of type {k + 1} is {value:g}", "it must be more than 0")
        self.channels, self.densities = [0] * n, 1
        self.quadratic = False
        self.by_atom = dict.fromkeys(ROWS, False)
        while words:
            self._keyword(words.pop(0), words)
        self.environments = self.environs(radius, weight)

    def environs(self, radius: list[float], weight: list[float]) -> Environments:
        """The loops that describe."""
        return Environments(self.system, radius, weight, self.settings, self.channels, self.densities)

    # ---- arguments
    def _set(self, key: str, word: str) -> None:
        settings = self.settings
        if key in settings.numbers:
            settings.numbers[key] = number(word, f"a value of {key}")
        elif key in settings.whole:
            settings.whole[key] = integer(word, f"a value of {key}")
        else:
            settings.flags[key] = int(self._flag(key, word))
        wrong = limits(settings, key)
        if wrong:
            raise InputError(wrong, f"correct {key} of compute {self.id}")

    @staticmethod
    def _flag(key: str, word: str) -> bool:
        if word not in ("0", "1"):
            raise InputError(f"{key} is {word}, and must be 0 or 1", f"use {key} 0 or {key} 1")
        return word == "1"

    def _keyword(self, key: str, words: list[str]) -> None:
        known = ("rmin0", *FLAGS, "quadraticflag", "chem", *LISTS, *ROWS)
        if key in REFUSED:
            raise InputError(f"compute {self.style}: {key} (a given number of neighbours) is not available",
                             "leave it out: neighbours are those within the cutoff")
        one_of(f"keyword of compute {self.style}", key, known)

        def take(what: str) -> str:
            if not words:
                raise InputError(f"compute {self.style}: {what} is missing", f"see {key} in the list of its keywords")
            return words.pop(0)

        if key in LISTS:
            self.settings.lists[key] = [number(take(f"{key} of type {k + 1}"), key) for k in range(self.types)]
        elif key == "chem":
            self.densities = integer(take("the number of elements of chem"), "a number of elements")
            self.channels = [integer(take(f"the element of type {k + 1}"), "an element") for k in range(self.types)]
            if self.densities < 1 or not all(0 <= channel < self.densities for channel in self.channels):
                raise InputError(f"chem {self.densities} {' '.join(map(str, self.channels))}: elements are counted from 0",
                                 "give their number, then one of 0 … number - 1 for each type")
        elif key in ROWS:
            self.by_atom[key] = self._flag(key, take(f"a value of {key}"))
            if self.style != "snap":
                raise InputError(f"compute {self.style} has no {key}", "it is for compute snap: leave it out")
        elif key == "quadraticflag":
            self.quadratic = self._flag(key, take(f"a value of {key}"))
        else:
            self._set(key, take(f"a value of {key}"))

    @property
    def width(self) -> int:
        """Components and, if asked for, their products."""
        return width(self.environments.components, self.quadratic)

    def batches(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> Iterator[Batch]:
        for batch in self.environments.batches(self.system, x, kind, rows, self.slopes, self.width):
            yield products_too(batch, self.slopes) if self.quadratic else batch

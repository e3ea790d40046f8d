"""Files FILE.yace: products with their coefficients, species, bonds and embeddings as YAML."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.ace.records import EMBEDDINGS, INNER, RADIAL, Bond, Embedding, Function, Potential, mistake
from everlet.forces.manybody.ace.yaml_text import Reader
from everlet.forces.potential_file import PotentialFile


class Section:
    """A mapping of the file, whose entries are asked for by name."""

    def __init__(self, path: str, name: str, given: Any):
        self.path, self.name, self.given = path, name, given
        if not isinstance(given, dict):
            raise self.fail("is not a mapping of names and values")

    def fail(self, cause: str) -> InputError:
        return InputError(f"{self.path}, {self.name}: {cause}", "is the file complete, and of the right format?")

    def of(self, key: Any, default: Any = None) -> Any:
        if key in self.given:
            return self.given[key]
        if default is None:
            raise self.fail(f"there is no {key}")
        return default

    def number(self, key: str, default: float | None = None) -> float:
        value = self.of(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
            raise self.fail(f"{key} is {value}, and not a number")
        return float(value)

    def whole(self, key: str) -> int:
        value = self.number(key)
        if value != int(value):
            raise self.fail(f"{key} is {value:g}, and not a whole number")
        return int(value)

    def numbers(self, key: str, default: Any = None) -> np.ndarray:
        try:
            found = np.array(self.of(key, default), float)
        except (TypeError, ValueError):
            raise self.fail(f"{key} is not a list of numbers, with rows of the same length") from None
        if not np.isfinite(found).all():
            raise self.fail(f"{key} has a number that is not finite")
        return found

    def integers(self, key: str) -> list[int]:
        return [int(n) for n in self.numbers(key).reshape(-1)]

    def choice(self, key: str, known: tuple[str, ...], default: str | None = None) -> str:
        word = str(self.of(key, default))
        if word not in known:
            raise self.fail(f"{key} is {word}; {', '.join(known)} can be done")
        return word


def read_yace(name: str) -> Potential:
    file = PotentialFile(name, "potential file of pace")
    path = str(file.path)
    whole = Section(path, "the file", Reader(path, "\n".join(file.lines)).document())
    elements = [str(one) for one in whole.of("elements")]
    count = len(elements)
    bonds = {_pair(path, key, count): _bond(Section(path, f"bonds {list(_pair(path, key, count))}", one))
             for key, one in Section(path, "bonds", whole.of("bonds")).given.items()}
    given = Section(path, "embeddings", whole.of("embeddings"))
    embeddings = [_embedding(Section(path, f"embeddings {s}", given.of(s))) for s in range(count)]
    lists = Section(path, "functions", whole.of("functions"))
    functions = [[_function(Section(path, f"functions {s}, number {k + 1}", one), len(embeddings[s].weights))
                  for k, one in enumerate(lists.of(s, []))] for s in range(count)]
    energies = whole.numbers("E0", [0.0] * count)
    if energies.shape != (count,):
        raise whole.fail(f"E0 has {energies.size} numbers for {count} elements")
    found = Potential(path, elements, energies.tolist(), embeddings, bonds, functions)
    wrong = mistake(found)
    if wrong:
        raise InputError(f"{path}: {wrong}", "is the file complete?")
    return found


def _pair(path: str, key: Any, count: int) -> tuple[int, int]:
    if isinstance(key, str):  # "0 1", as some write it
        key = tuple(int(word) for word in key.split() if word.isdigit())
    if not (isinstance(key, tuple) and len(key) == 2 and all(isinstance(k, int) and 0 <= k < count for k in key)):
        raise InputError(f"{path}, bonds: {key} is not a pair of species, 0 to {count - 1}", "such as [0, 1]")
    return key


def radial_kind(section: Section, word: str) -> str:
    if word == "TEST_SBessel":
        return "SBessel"
    if word not in RADIAL:
        raise section.fail(f"radial functions {word} cannot be done; {', '.join(RADIAL)} can")
    return word


def _bond(s: Section) -> Bond:
    inner = s.choice("inner_cutoff_type", INNER, "density")
    return Bond(radial_kind(s, str(s.of("radbasename"))), s.whole("nradbasemax"), float(s.numbers("radparameters").flat[0]),
                s.number("rcut"), s.number("dcut"), s.number("rcut_in", 0.0), s.number("dcut_in", 0.0), inner,
                s.number("prehc"), s.number("lambdahc"), s.numbers("radcoefficients"))


def _embedding(s: Section) -> Embedding:
    kind, given = s.choice("npoti", EMBEDDINGS), s.numbers("FS_parameters")
    if given.size != 2 * s.whole("ndensity"):
        raise s.fail(f"FS_parameters has {given.size} numbers for {s.whole('ndensity')} densities: two for each")
    return Embedding(kind, given[0::2], given[1::2], s.number("rho_core_cutoff"), s.number("drho_core_cutoff"))


def _function(s: Section, densities: int) -> Function:
    species, count = s.integers("mus"), len(s.integers("mus"))
    ms, values = s.numbers("ms_combs").reshape(-1), s.numbers("ctildes").reshape(-1)
    size = int(s.given.get("ndensity", densities))
    if not count or ms.size % count or size < 1 or values.size * count != ms.size * size:
        raise s.fail(f"{ms.size} m and {values.size} ctildes do not fit {count} factors and {size} densities")
    return Function(species, s.integers("ns"), s.integers("ls"), ms.astype(int).reshape(-1, count), values.reshape(-1, size))

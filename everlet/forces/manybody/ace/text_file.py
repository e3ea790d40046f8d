"""Files FILE.ace: the older text format, of one set of radial numbers for each pair of species."""

from __future__ import annotations

import re

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.ace.b_file import read_b
from everlet.forces.manybody.ace.records import EMBEDDINGS, RADIAL, Bond, Embedding, Function, Potential, mistake
from everlet.forces.manybody.ace.yace_file import read_yace
from everlet.forces.potential_file import PotentialFile

BLOCK = re.compile(r"ctilde_basis_func:[^\n]*?mu0=\s*(\d+)\s+mu=\(([^)]*)\)\s*n=\(([^)]*)\)\s*l=\(([^)]*)\)\s*"
                   r"num_ms=\s*(\d+)\s*((?:<[^>]*>:[-+.\deE\s]*)*)")
TERM = re.compile(r"<([^>]*)>:([^<]*)")


def read(name: str) -> Potential:
    """A potential, by the ending of its name."""
    if name.endswith(".yace"):
        return read_yace(name)
    if name.endswith(".yaml"):
        return read_b(name)
    if name.endswith(".ace"):
        return Text(name).read()
    raise InputError(f"pair style pace does not know what kind of file '{name}' is",
                     "its name should end in .yace, .yaml or .ace")


class Text:
    def __init__(self, name: str):
        self.file = PotentialFile(name, "potential file of pace")
        self.text = "\n".join(self.file.lines) + "\n"

    def fail(self, cause: str, at: int) -> InputError:
        return self.file.fail(cause, line=self.text.count("\n", 0, at) + 1)

    def words(self, key: str, count: int, default: list[str] | None = None) -> tuple[list[str], int]:
        """So many words behind a key, and where they begin."""
        match = re.search(rf"(?m)(?:^|\s){re.escape(key)}", self.text)
        if not match:
            if default is not None:
                return default, 0
            raise InputError(f"{self.file.path} has no '{key}'", "is it a file of the format .ace?")
        end, found = match.end(), list[str]()
        for word in re.finditer(r"\S+", self.text[end:]):
            if len(found) == count:
                break
            found.append(word[0])
        if len(found) < count:
            raise self.fail(f"{count} words should follow '{key}', and there are {len(found)}", end)
        return found, end

    def numbers(self, key: str, count: int, default: float | None = None) -> np.ndarray:
        words, at = self.words(key, count, None if default is None else [str(default)] * count)
        try:
            found = np.array(words, float)
        except ValueError:
            found = np.array([np.nan])
        if not np.isfinite(found).all():
            raise self.fail(f"{count} numbers should follow '{key}'", at)
        return found

    def whole(self, key: str) -> int:
        value = self.numbers(key, 1)[0]
        if value != int(value) or value < 0:
            raise self.fail(f"{key}{value:g} is not a whole number of 0 or more", self.words(key, 1)[1])
        return int(value)

    def read(self) -> Potential:
        count, lmax, base, most = (self.whole(key) for key in ("nelements=", "lmax=", "nradbase=", "nradmax="))
        elements = self.words("elements:", count)[0]
        kind, at = self.words("embedding-function:", 1, ["FinnisSinclair"])
        if kind[0] not in EMBEDDINGS:
            raise self.fail(f"the embedding function {kind[0]} cannot be done; {', '.join(EMBEDDINGS)} can", at)
        size = re.search(r"(\d+)\s+FS parameters:", self.text)
        if not size or int(size[1]) % 2:
            raise InputError(f"{self.file.path} has no even number of 'FS parameters:'", "two for each density")
        given, core = self.numbers("FS parameters:", int(size[1])), self.numbers("core energy-cutoff parameters:", 2 * count)
        embeddings = [Embedding(kind[0], given[0::2], given[1::2], core[2 * s], core[2 * s + 1]) for s in range(count)]
        radial, at = self.words("radbasename=", 1)
        if radial[0] not in (*RADIAL, "TEST_SBessel"):
            raise self.fail(f"radial functions {radial[0]} cannot be done; {', '.join(RADIAL)} can", at)
        pairs = count * count
        hard, steep = self.numbers("core repulsion parameters:", 2 * pairs), self.numbers("radparameter=", pairs)
        cut, width = self.numbers("cutoff=", pairs), self.numbers("dcut=", pairs)
        shape = (pairs, base, most, lmax + 1)
        mixing = self.numbers("crad=", int(np.prod(shape))).reshape(shape).transpose(0, 2, 3, 1)
        bonds = {divmod(p, count): Bond(radial[0].removeprefix("TEST_"), base, steep[p], cut[p], width[p], 0.0, 0.0, "density",
                                        hard[2 * p], hard[2 * p + 1], mixing[p]) for p in range(pairs)}
        energies = self.numbers("E0:", count, 0.0).tolist()
        found = Potential(str(self.file.path), elements, energies, embeddings, bonds, self.functions(count, len(given) // 2))
        wrong = mistake(found)
        if wrong:
            raise InputError(f"{self.file.path}: {wrong}", "is the file complete?")
        return found

    def functions(self, count: int, densities: int) -> list[list[Function]]:
        found: list[list[Function]] = [[] for _ in range(count)]
        read = 0
        for match in BLOCK.finditer(self.text):
            centre, many = int(match[1]), int(match[5])
            try:
                lists = [[int(word) for word in match[k].split()] for k in (2, 3, 4)]
                terms = [([int(m) for m in one.split()], [float(c) for c in two.split()])
                         for one, two in TERM.findall(match[6])]
                ms, values = np.array([m for m, _ in terms]), np.array([c for _, c in terms])
            except ValueError:
                raise self.fail("a word of this function is not a number", match.start()) from None
            if centre >= count:
                raise self.fail(f"mu0={centre}, and there are {count} elements", match.start())
            if len(terms) != many or ms.ndim != 2 or values.shape != (many, densities):
                raise self.fail(f"num_ms={many} products with {densities} coefficients should follow, not {len(terms)}",
                                match.start())
            found[centre].append(Function(lists[0], lists[1], lists[2], ms, values))
            read += 1
        if read != self.text.count("ctilde_basis_func:"):
            seen = [m.start() for m in BLOCK.finditer(self.text)]
            lost = next(m.start() for m in re.finditer("ctilde_basis_func:", self.text) if m.start() not in seen)
            raise self.fail("this function cannot be read", lost)
        sizes = [int(n) for n in re.findall(r"total_basis_size(?:_rank1)?:\s*([\d ]+)", self.text) for n in n.split()[:count]]
        if sizes and sum(sizes) != read:
            raise InputError(f"{self.file.path} has {read} functions, and says that there are {sum(sizes)}", "is it complete?")
        return found

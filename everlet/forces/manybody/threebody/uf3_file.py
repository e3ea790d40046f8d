"""Files of UF3: blocks of two and of three bodies, each with its knots and coefficients.

    #UF3 POT UNITS: metal …              2B El1 El2 0 3 uk|nk        3B centre El2 El3 0 3 uk|nk
                                         r_c knots                   r_jk r_ik r_ij knots_jk knots_ik knots_ij
                                         the knots                   the knots of jk, of ik and of ij
                                         coefficients                coefficients of ij, ik, jk
                                         the coefficients            a line for each of ij and ik: those of jk

uk: knots are equally spaced, nk: they need not be; 0 and 3: so many coefficients at the two ends were held at 0 in the fit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.threebody.splines import Axis
from everlet.forces.potential_file import PotentialFile

Triple = tuple[str, str, str]
EVEN = 0.01  # of a spacing: knots that are called equally spaced may be off so much
SYMMETRIC = 1e-10  # of the largest coefficient


@dataclass
class Block:
    """Cutoffs, axes and coefficients; of three bodies in the order ij, ik, jk."""

    cutoffs: tuple[float, ...]
    axes: tuple[Axis, ...]
    coefficients: np.ndarray

    def turned(self) -> Block:
        """With the two neighbours exchanged."""
        (a, b, c), (x, y, z) = self.cutoffs, self.axes
        return Block((b, a, c), (y, x, z), self.coefficients.transpose(1, 0, 2))


class UF3File:
    """All blocks of a file: `pairs` by two elements in both orders, `triples` by centre and neighbours in both orders."""

    def __init__(self, name: str, units: str):
        self.file = PotentialFile(name)
        self.factor = self.file.energy_factor(units)
        self.pairs: dict[tuple[str, str], Block] = {}
        self.triples: dict[Triple, Block] = {}
        self._check_units()
        while self._more():
            words = self.file.words("a block")
            if words[0] == "2B" and len(words) == 6:
                self._pair((words[1], words[2]), self._head(words[3:]))
            elif words[0] == "3B" and len(words) == 7:
                self._triple((words[1], words[2], words[3]), self._head(words[4:]))
            else:
                raise self.file.fail(f"'{' '.join(words)[:60]}' does not begin a block",
                                     "blocks begin with 2B El1 El2 0 3 uk|nk or 3B centre El2 El3 0 3 uk|nk")

    def _more(self) -> bool:
        return any(line.split("#", 1)[0].strip() for line in self.file.lines[self.file.line :])

    def _check_units(self) -> None:
        """Every block says its units."""
        for number, line in enumerate(self.file.lines, 1):
            found = re.search(r"^#.*UNITS:\s*(\S+)", line)
            if found and found.group(1) != self.file.units:
                raise self.file.fail(f"a block in units {found.group(1)}, and the first line says "
                                     f"{self.file.units or 'none'}", "all blocks of a file must have the same", number)

    def _head(self, words: list[str]) -> bool:
        """Whether knots are called equally spaced; what the reference refuses is refused."""
        if words[:2] != ["0", "3"]:
            raise self.file.fail(f"trims {words[0]} and {words[1]}", "leading trim 0 and trailing trim 3 can be read")
        if words[2] not in ("uk", "nk"):
            raise self.file.fail(f"'{words[2]}' is no spacing of knots", "it is uk (equal) or nk (any)")
        return words[2] == "uk"

    def _axis(self, count: int, even: bool, what: str) -> Axis:
        """The knots of one distance: the first and the last four times, those between them increasing."""
        if count < 8:
            raise self.file.fail(f"{count} knots of {what}", "a cubic spline has 8 knots or more")
        knots = self.file.table(count, f"knots of {what}")
        inner = knots[3:-3]
        if (knots[:3] != knots[3]).any() or (knots[-3:] != knots[-4]).any():
            raise self.file.fail(f"knots of {what} do not begin and end with the same number four times",
                                 "is it a clamped spline?")
        gaps = np.diff(inner)
        if gaps.min() <= 0.0 or inner[0] < 0.0:
            raise self.file.fail(f"knots of {what} do not increase", "each must be farther than the one before")
        if even and np.abs(gaps - gaps.mean()).max() > EVEN * gaps.mean():
            raise self.file.fail(f"knots of {what} are not equally spaced, and the block says uk", "call them nk")
        try:
            return Axis(inner)
        except InputError as error:
            raise self.file.fail(f"knots of {what}: {error.cause}", error.remedy) from None

    def _numbers(self, size: int, what: str) -> list[str]:
        words = self.file.words(what)
        if len(words) != size:
            raise self.file.fail(f"{what}: expected {size} numbers, found {len(words)}")
        return words

    def _cutoff(self, word: str) -> float:
        value = self.file.number(word, "a cutoff")
        if value <= 0.0:
            raise self.file.fail(f"a cutoff of {word}", "give a distance")
        return value

    def _pair(self, names: tuple[str, str], even: bool) -> None:
        label = " ".join(names)
        if names in self.pairs:
            raise self.file.fail(f"a second block 2B {label}", "each pair may come once, in either order")
        cut, count = self._numbers(2, f"cutoff and knots of 2B {label}")
        reach = self._cutoff(cut)
        axis = self._axis(self.file.integer(count, "a number of knots"), even, f"2B {label}")
        self._shape((axis,), 1, f"2B {label}")
        block = Block((reach,), (axis,), self.factor * self.file.table(axis.size, f"coefficients of 2B {label}"))
        self.pairs[names] = self.pairs[names[::-1]] = block

    def _triple(self, names: Triple, even: bool) -> None:
        label = " ".join(names)
        centre, first, second = names
        if names in self.triples:
            raise self.file.fail(f"a second block 3B {label}", "each triple may come once, with its neighbours in either order")
        words = self._numbers(6, f"cutoffs and knots of 3B {label}")
        cutoffs = tuple(self._cutoff(word) for word in words[2::-1])
        counts = [self.file.integer(word, "a number of knots") for word in words[3:]]
        found = [self._axis(count, even, f"3B {label}, {what}") for count, what in zip(counts, ("jk", "ik", "ij"), strict=True)]
        axes = tuple(found[::-1])
        self._shape(axes, 3, f"3B {label}")
        sizes = [axis.size for axis in axes]
        numbers, line = np.zeros((sizes[0] * sizes[1], sizes[2])), self.file.line
        for row in numbers:
            row[:] = self.file.table(sizes[2], f"coefficients of 3B {label}")
        block = Block(cutoffs, axes, self.factor * numbers.reshape(sizes))
        if first == second:
            self._check_symmetry(block, label, line)
        self.triples[names], self.triples[centre, second, first] = block, block.turned()

    def _shape(self, axes: tuple[Axis, ...], size: int, what: str) -> None:
        words = self._numbers(size, f"numbers of coefficients of {what}")
        wanted = [axis.size for axis in axes]
        if [self.file.integer(word, "a number of coefficients") for word in words] != wanted:
            raise self.file.fail(f"{what}: {' '.join(words)} coefficients, and its knots make it {' '.join(map(str, wanted))}",
                                 "there are four fewer than knots")

    def _check_symmetry(self, block: Block, label: str, line: int) -> None:
        """An angle has no order: with neighbours of one element both must be described alike."""
        (a, b, _), (x, y, _), c = block.cutoffs, block.axes, block.coefficients
        if a != b or x.size != y.size or not np.array_equal(x.knots, y.knots):
            raise self.file.fail(f"3B {label}: cutoffs or knots of ij and ik differ", "neighbours of one element need the same",
                                 line)
        if np.abs(c - c.transpose(1, 0, 2)).max() > SYMMETRIC * np.abs(c).max():
            raise self.file.fail(f"3B {label}: coefficients change if ij and ik are exchanged",
                                 "neighbours of one element need symmetric ones", line)

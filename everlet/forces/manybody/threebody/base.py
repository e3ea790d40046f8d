"""Three-body styles: E = sum_i sum_j P(r_ij, zeta_ij),  zeta_ij = sum_k G(r_ij, r_ik, cos theta_jik).

A style has a file with parameters for triples of elements and three functions of those, p:

    arm(r, p[, data])                       -> u, du/dr           a function of one distance, worked out once for each
    angle(r, u, du, s, v, dv, c, p[, data]) -> G, dG/dr, dG/ds, dG/dc       r, u, du of ij; s, v, dv of ik; c the cosine
    bond(r, u, du, zeta, p[, data])         -> P, dP/dr, dP/dzeta

arm and bond get the parameters of the triple (i, j, j), angle those of (i, j, k); all get the style's `data` if they name it.
`linear`: dP/dzeta is a number that does not depend on zeta, `symmetric`: G is the same with j and k exchanged, `fading`: G and
its slopes are 0 where u and du, or v and dv, are 0; then the work is less. A linear style without `angles` has no G.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.manybody.threebody.scheme import ThreeBody, threebody_scheme
from everlet.forces.pair.formulas import with_data
from everlet.forces.pair.scaling import scaled_angle, scaled_bond
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.potential_file import PotentialFile
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Portable, Space, View
from everlet.portable.language.dtypes import dtype
from everlet.registry import Registry
from everlet.state.system import System

Triple = tuple[str, str, str]
Values = dict[str, float]


class ThreeBodyParameters(SharedParameters):
    """The cutoffs of pairs, and the numbers of triples."""

    def __init__(self, style: ThreeBodyStyle, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.triple_fields, numbers = style.triple_fields, style.triple_array
        if self.scaled:
            self.triple_fields = (*self.triple_fields, "factor")
            numbers = np.pad(numbers, ((0, 0), (0, 0), (0, 0), (0, 1)), constant_values=self.factor)
        self.triples = View(numbers.size, dtype("real", precision), space)
        self.triples.put(numbers.reshape(-1))
        common = {"MANY": self.kinds > 2, "NP": len(self.triple_fields)}
        self.unscaled = {"arm": with_data(style.arm, "r, p"), "angle": with_data(style.angle, "r, u, du, s, v, dv, c, p"),
                         "bond": with_data(style.bond, "r, u, du, zeta, p")} | common
        self.functions = dict(self.unscaled)
        if self.scaled:
            self.functions["bond"] = scaled_bond(self.unscaled["bond"])
            if style.linear:
                self.functions["angle"] = scaled_angle(self.unscaled["angle"])
        self.linear, self.symmetric, self.fading = style.linear, style.symmetric, style.fading
        self.angles = style.angles

    def sharing(self, near: Surroundings) -> ThreeBody:
        return ThreeBody(near.system, near.dense, self)


class ThreeBodyStyle(FileStyle):
    """Base of three-body styles. `columns` are the numbers of a file's entry, after its three elements, `texts` words behind
    them."""

    schemes: ClassVar[Registry[type[Scheme]]] = threebody_scheme
    of_kernels = ThreeBodyParameters
    columns: ClassVar[tuple[str, ...]] = ()
    texts: ClassVar[tuple[str, ...]] = ()
    energies: ClassVar[tuple[str, ...]] = ()  # columns that are energies, where files of other units are converted
    linear: ClassVar[bool] = False
    symmetric: ClassVar[bool] = False
    fading: ClassVar[bool] = False
    angles: bool = True
    arm: ClassVar[Portable]
    angle: ClassVar[Portable]
    bond: ClassVar[Portable]

    def __init__(self, system: System, args: list[str]):
        self.triples: dict[Triple, Values] = {}
        self.said: dict[Triple, list[str]] = {}
        super().__init__(system, args)

    def derive(self, values: Values) -> Values:
        """The parameters p of one triple from its numbers in the file; refuses what makes no sense."""
        return values

    def together(self, made: dict[Triple, Values]) -> dict[Triple, Values]:
        """All parameters once more, where one triple must know of another."""
        return made

    def cutoff(self, values: Values) -> float:
        """How far the pair (i, j) of a triple (i, j, j) reaches."""
        raise NotImplementedError

    def pair_cutoff(self, a: str, b: str) -> float:
        """How far an atom of element a sees one of element b."""
        return self.cutoff(self.triples[a, b, b])

    def check(self, values: Values) -> str:
        """What is wrong with the numbers of an entry; empty if nothing is."""
        return ""

    def other_line(self, words: list[str], file: PotentialFile) -> bool:
        """Whether a line of the file is none of an entry; then its numbers are kept."""
        return False

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        self.triples = self.read(args[2], set(names.values()) - {"NULL"})
        self.names, self.lines = names, [args]

    def read(self, name: str, wanted: set[str]) -> dict[Triple, Values]:
        """The entries of a file for these elements; each triple must be there, once."""
        file = PotentialFile(name)
        factor = file.energy_factor(self.system.units.name)
        found: dict[Triple, Values] = {}
        before, words = 3 + len(self.columns), list[str]()
        size = before + len(self.texts)
        while True:
            try:
                line = file.words("an entry")
            except InputError:
                if words:
                    raise file.fail(f"the last entry has {len(words)} of {size} words") from None
                break
            if not words and self.other_line(line, file):
                continue
            words += line
            if len(words) < size:
                continue
            if len(words) > size:
                raise file.fail(f"an entry has {size} words (three elements, {', '.join(self.columns + self.texts)}), "
                                f"found {len(words)}")
            triple, numbers, said = (words[0], words[1], words[2]), words[3:before], words[before:]
            words = []
            if not set(triple) <= wanted:
                continue
            values = {key: file.number(word, key) for key, word in zip(self.columns, numbers, strict=True)}
            for key in self.energies:
                values[key] *= factor
            if triple in found:
                raise file.fail(f"a second entry for {' '.join(triple)}", "each triple may come once")
            wrong = self.check(values)
            if wrong:
                raise file.fail(f"{' '.join(triple)}: {wrong}")
            found[triple], self.said[triple] = values, said
        missing = [(a, b, c) for a in sorted(wanted) for b in sorted(wanted) for c in sorted(wanted) if (a, b, c) not in found]
        if missing:
            raise InputError(f"{file.path} has no entry for {' '.join(missing[0])}",
                             f"elements of {self.name} need all triples: {len(missing)} are missing")
        return found

    def init(self) -> None:
        self.need_elements()
        self.need_newton()
        n = self.system.ntypes
        made = self.together({triple: self.derive(values) for triple, values in self.triples.items()})
        self.fields, self.triple_fields = (), tuple(next(iter(made.values()), {}))
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, 0))
        self.triple_array = np.zeros((n + 1, n + 1, n + 1, len(self.triple_fields)))
        for i, a in self.names.items():
            for j, b in self.names.items():
                if (a, b, b) in self.triples:
                    self.cutoffs[i, j] = self.pair_cutoff(a, b)
                for k, c in self.names.items():
                    if (a, b, c) in made:
                        self.triple_array[i, j, k] = list(made[a, b, c].values())
        self.max_cutoff = float(self.cutoffs.max())
        self.pairs = {}

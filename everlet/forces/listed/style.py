"""Pairs of atoms that a file names, each with its own potential.

    pair_style list FILE r_c [check|nocheck]
    pair_coeff * *

A line of the file for each pair, with # before comments and a cutoff in place of r_c where there is one more number:

    ID1 ID2 harmonic K r0 [r_c]              K (r - r0)^2
    ID1 ID2 morse D alpha r0 [r_c]           D [1 - exp(-alpha (r - r0))]^2
    ID1 ID2 lj126 eps sigma [r_c]            4 eps [(sigma/r)^12 - (sigma/r)^6]
    ID1 ID2 quartic K r0 b1 b2 [r_c]         K (r - r0)^2 (r - r0 - b1)(r - r0 - b2)

check, the default: all atoms must be there. Links between the atoms mean nothing. In practice it is a part of hybrid/overlay.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.errors import InputError, arguments, number, one_of
from everlet.forces.listed.loops import HARMONIC, LJ126, MORSE, NUMBERS, QUARTIC, law
from everlet.forces.listed.scheme import ListedParameters, listed_scheme
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coefficients import check_cutoff
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.potential_file import PotentialFile
from everlet.registry import Registry

FORMS = {"harmonic": (HARMONIC, "K r0"), "morse": (MORSE, "D alpha r0"), "lj126": (LJ126, "epsilon sigma"),
         "quartic": (QUARTIC, "K r0 b1 b2")}


@pair_style("list")
class ListStyle(FileStyle):
    """`ids`, `forms`, `values`: of the pairs; of each four numbers and a cutoff."""

    schemes: ClassVar[Registry[type[Scheme]]] = listed_scheme
    of_kernels = ListedParameters
    stored = False  # ids and numbers are in the file
    shiftable = True

    def configure(self, args: list[str]) -> None:
        arguments(args, 2, 3, "pair_style list FILE cutoff [check|nocheck]")
        self.args, self.setting = list(args), {"cut": number(args[1], "a cutoff")}
        check_cutoff(self.setting["cut"])
        self.check = one_of("word of pair_style list", args[2] if len(args) > 2 else "check", ("check", "nocheck")) == "check"
        self.read(PotentialFile(args[0], "list of pairs"))

    def read(self, file: PotentialFile) -> None:
        self.ids, self.forms, self.values = list[tuple[int, int]](), list[int](), list[list[float]]()
        while any(line.split("#", 1)[0].split() for line in file.lines[file.line :]):
            words = file.words("a pair")
            if len(words) < 3 or words[2] not in FORMS:
                raise file.fail(f"'{' '.join(words[:4])}' is not two ids and one of {', '.join(FORMS)}",
                                "each line is ID1 ID2 FORM numbers [cutoff]")
            form, names = FORMS[words[2]]
            count = len(names.split())
            if not count <= len(words) - 3 <= count + 1:
                raise file.fail(f"{len(words) - 3} numbers for {words[2]}", f"give {names} [cutoff]")
            first, second = file.integer(words[0], "an id"), file.integer(words[1], "an id")
            if first < 1 or second < 1 or first == second:
                raise file.fail(f"a pair of atoms {first} and {second}", "give the ids of two atoms")
            found = [file.number(word, "a coefficient") for word in words[3:]]
            cut = found[count] if len(found) > count else self.setting["cut"]
            if cut < 0.0:
                raise file.fail(f"a cutoff of {cut:g}", "give a distance")
            self.ids.append((first, second))
            self.forms.append(form)
            self.values.append([*found[:count], *[0.0] * (4 - count), cut])

    def coeff(self, args: list[str]) -> None:
        arguments(args, 2, 2, "pair_coeff * *")
        if args != ["*", "*"]:
            raise InputError(f"pair_coeff {' '.join(args)}: pairs are those of the file", "use pair_coeff * *")
        self.names = dict.fromkeys(range(1, self.system.ntypes + 1), "*")
        self.lines = [list(args)]

    def init(self) -> None:
        if not self.lines:
            raise InputError("no pair_coeff", "give pair_coeff * * for pair style list")
        wanted = np.unique(np.array(self.ids, np.int64))
        there = self.system.ranks.sum(np.isin(wanted, self.system.atoms.read("id")).astype(np.int64))
        if self.check and (there == 0).any():
            raise InputError(f"pair style list: there is no atom {wanted[there == 0][0]}", "correct the file, or say nocheck")
        n, self.fields, self.pairs = self.system.ntypes, (), {}
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.cutoffs[1:, 1:] = self.setting["cut"]
        self.table_array = np.zeros((n + 1, n + 1, 0))
        self.max_cutoff = self.setting["cut"]

    def table_of_pairs(self) -> np.ndarray:
        """The numbers of each pair, its squared cutoff, and the energy there with pair_modify shift."""
        found = np.zeros((len(self.ids), NUMBERS))
        for row, form, (*four, cut) in zip(found, self.forms, self.values, strict=True):
            row[:4], row[4] = four, cut * cut
            row[5] = law(form, cut, *four)[0] if self.shift and cut > 0.0 else 0.0
        return found

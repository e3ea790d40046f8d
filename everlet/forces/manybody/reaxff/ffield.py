"""Force-field files of ReaxFF: general numbers, and those of elements, bonds, unlike pairs, angles, torsions, hydrogen bonds.

    line 1         a comment
    n              and n general numbers, one in a line
    elements       their number, three more lines of comments; four lines for each (five with lgvdw)
    bonds          their number, one more line of comments; two lines for each pair of elements
    unlike pairs   their number; lines `i j` and what replaces mixed values, each of them only if it is positive
    angles         their number; lines `i j k` and 7 numbers (j is the centre); a triple may come several times
    torsions       their number; lines `i j k l` and 5 numbers or more; `0 j k 0` stands for all that have no line of their own
    hydrogen bonds their number; lines `donor hydrogen acceptor` and 4 numbers; may be left out

What is not named in a file is 0. Quantities have the names of the literature (Chenoweth et al., J. Phys. Chem. A 112, 1040).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from everlet.errors import InputError
from everlet.forces.potential_file import PotentialFile

Elements = tuple[int, ...]
Numbers = tuple[float, ...]

GENERAL = {"boc1": 1, "boc2": 2, "coa2": 3, "trip4": 4, "trip3": 5, "kc2": 6, "ovun6": 7, "trip2": 8, "ovun7": 9, "ovun8": 10,
           "trip1": 11, "low": 12, "high": 13, "val6": 15, "lp1": 16, "val9": 17, "val10": 18, "pen2": 20, "pen3": 21,
           "pen4": 22, "tor2": 24, "tor3": 25, "tor4": 26, "cot2": 28, "vdw1": 29, "cutoff": 30, "coa4": 31, "ovun4": 32,
           "ovun3": 33, "val8": 34, "soft": 35, "lg": 36, "triple": 38, "coa3": 39}
ELEMENT = (("r_s", "valence", "mass", "r_vdw", "epsilon", "gamma", "r_p", "valence_e"),
           ("alpha", "gamma_w", "valence_angle", "ovun5", "", "chi", "eta", "hbond"),
           ("r_pp", "lp2", "", "boc4", "boc3", "boc5", "r_soft", ""),
           ("ovun2", "val3", "", "valence_boc", "val5", "r_core", "e_core", "a_core"))
LG = ("c_lg", "r_lg")
BOND = (("D_s", "D_p", "D_pp", "be1", "bo5", "v13", "bo6", "ovun1"), ("be2", "bo3", "bo4", "", "bo1", "bo2", "ovc"))
UNLIKE = ("D", "r_vdw", "alpha", "r_s", "r_p", "r_pp")
ANGLE = ("theta", "val1", "val2", "coa1", "val7", "pen1", "val4")
TORSION = ("V1", "V2", "V3", "tor1", "cot1")
HBOND = ("r0", "hb1", "hb2", "hb3")
LIGHT = 21.0  # elements of less mass have one valence for angles and for corrections of bond orders
NEGLIGIBLE = 0.01, 0.5  # an inner wall, a shielding


class ChargeNumbers(NamedTuple):
    """What charge equilibration needs, by atom type (number 0 is unused), and where the taper begins and ends.

    chi eV/e, eta eV/e^2 (twice the number of the file), gamma 1/Angstrom; 0 where a type has no element. reach, soft: how far
    bonds let charges pass, Angstrom, and how easily, e^2/eV (fix acks2/reaxff).
    """

    chi: np.ndarray
    eta: np.ndarray
    gamma: np.ndarray
    reach: np.ndarray
    soft: float
    low: float
    high: float


@dataclass
class ForceField:
    """The numbers of a file. Elements are counted from 0 in its order; `elements` has an array for each quantity, `pairs` a
    matrix for each; angles, torsions and hydrogen bonds are there in both directions where these mean the same.
    """

    general: dict[str, float]
    names: list[str]
    elements: dict[str, np.ndarray]
    pairs: dict[str, np.ndarray] = field(default_factory=dict)
    angles: dict[Elements, list[Numbers]] = field(default_factory=dict)
    torsions: dict[Elements, Numbers] = field(default_factory=dict)
    hbonds: dict[Elements, Numbers] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    wall: bool = False  # pairs have an inner wall
    shielded: bool = True  # distances of van der Waals energies are shielded

    def rows(self, types: dict[int, str], what: str) -> np.ndarray:
        """Elements of atom types 0, 1, 2 …: -1 for none."""
        places = {name.upper(): k for k, name in reversed(list(enumerate(self.names)))}
        unknown = [name for name in types.values() if name != "NULL" and name.upper() not in places]
        if unknown:
            raise InputError(f"{what} has no element '{unknown[0]}'",
                             f"it has {' '.join(self.names)}; NULL for types without one")
        return np.array([-1, *(places.get(types[k].upper(), -1) if types[k] != "NULL" else -1 for k in sorted(types))])

    def charge_numbers(self, rows: np.ndarray) -> ChargeNumbers:
        """For atom types whose elements are `rows`."""
        chi, eta, gamma, reach = (np.where(rows >= 0, self.elements[name][rows], 0.0)
                                  for name in ("chi", "eta", "gamma", "r_soft"))
        return ChargeNumbers(chi, eta, gamma, reach, self.general["soft"], self.general["low"], self.general["high"])


class Reader:
    """Goes through a file once."""

    def __init__(self, name: str, lg: bool):
        self.file, self.lg = PotentialFile(name), lg

    def words(self, what: str, least: int) -> list[str]:
        words = self.file.words(what)
        for k, word in enumerate(words):
            if "!" in word:
                words = words[:k] + ([word.split("!", 1)[0]] if not word.startswith("!") else [])
                break
        if len(words) < least:
            raise self.file.fail(f"{what} needs {least} numbers or words, found {len(words)}: {' '.join(words)}",
                                 "is the count at the head of this part right? with 'lgvdw yes' elements have five lines")
        return words

    def _dispersion(self, name: str) -> list[str]:
        words = self.words(f"line 5 (dispersion) of element {name}", 2)
        if not words[0].lstrip("+-")[:1].isdecimal() and not words[0].startswith("."):
            raise self.file.fail(f"'{words[0]}' where line 5 (dispersion) of element {name} should begin",
                                 "with 'lgvdw yes' elements have five lines: leave it out for this file")
        return words

    def count(self, what: str) -> int:
        count = self.file.integer(self.words(f"the number of {what}", 1)[0], f"the number of {what}")
        if count < 0:
            raise self.file.fail(f"the number of {what} is {count}")
        return count

    def numbers(self, words: list[str], names: tuple[str, ...], what: str) -> list[float]:
        return [self.file.number(word, f"{name or 'an unused number'} of {what}")
                for word, name in zip(words, names, strict=False)]

    def read(self) -> ForceField:
        file = self.file
        if file.units not in ("", "real"):
            raise InputError(f"{file.path} is for units {file.units}", "force fields of ReaxFF are in units real")
        if not file.lines:
            raise file.fail("the file is empty")
        file.skip(1)
        n = self.count("general numbers")
        if n < max(GENERAL.values()):
            raise file.fail(f"{n} general numbers, and {max(GENERAL.values())} are needed")
        values = [file.number(self.words(f"general number {k + 1}", 1)[0], f"general number {k + 1}") for k in range(n)]
        made = ForceField({name: values[k - 1] for name, k in GENERAL.items()}, *self._elements())
        if made.general["high"] <= made.general["low"]:
            raise file.fail(f"the taper ends at {made.general['high']:g}, before it begins at {made.general['low']:g}")
        if made.general["vdw1"] == 0.0:
            raise file.fail("general number 29, the power of the van der Waals shielding, is 0")
        self._vdw(made)
        self._mix(made)
        self._bonds(made)
        self._unlike(made)
        for _ in range(self.count("angles")):
            key, numbers = self._entry(made, 3, ANGLE, "an angle")
            for triple in {key, key[::-1]} if self._known(made, key) else ():
                made.angles.setdefault(triple, []).append(numbers)
        self._torsions(made)
        self._hbonds(made)
        return made

    def _elements(self) -> tuple[list[str], dict[str, np.ndarray]]:
        n = self.count("elements")
        if n < 1:
            raise self.file.fail("there are no elements")
        self.file.skip(3)
        names: list[str] = []
        found: dict[str, list[float]] = {name: [] for line in (*ELEMENT, LG) for name in line if name}
        for _ in range(n):
            words = self.words("the first line of an element", 9)
            name = words[0]
            names.append(name)
            lines = [words[1:], *(self.words(f"line {k} of element {name}", 8) for k in (2, 3, 4))]
            lines += [self._dispersion(name)] if self.lg else []
            for columns, line in zip((*ELEMENT, LG), lines, strict=False):
                for column, value in zip(columns, self.numbers(line, columns, f"element {name}"), strict=False):
                    if column:
                        found[column].append(value)
        if not self.lg:
            found |= {name: [0.0] * n for name in LG}
        arrays = {name: np.array(values) for name, values in found.items()}
        arrays["eta"] *= 2.0
        light = arrays["mass"] < LIGHT
        arrays["valence_boc"] = np.where(light, arrays["valence_angle"], arrays["valence_boc"])
        return names, arrays

    def _vdw(self, made: ForceField) -> None:
        """What kind of van der Waals energy the file has: that of its first element."""
        least, shield = NEGLIGIBLE
        of = made.elements
        walls = (of["r_core"] > least) & (of["a_core"] > least)
        shields = of["gamma_w"] > shield
        bare = ~walls & ~shields
        if bare.any():
            name = made.names[int(bare.argmax())]
            raise self.file.fail(f"element {name} has neither a van der Waals shielding nor an inner wall")
        made.wall, made.shielded = bool(walls[0]), bool(shields[0])
        other = (walls != walls[0]) | (shields != shields[0])
        if other.any():
            name = made.names[int(other.argmax())]
            made.warnings.append(f"{self.file.path}: van der Waals parameters of element {name} are of another kind than those "
                                 f"of {made.names[0]}, whose kind is used for all")

    @staticmethod
    def _mix(made: ForceField) -> None:
        """Numbers of pairs of elements that files give for elements."""
        of, pairs = made.elements, made.pairs

        def outer(name: str) -> np.ndarray:
            product: np.ndarray = of[name][:, None] * of[name][None, :]
            return product

        with np.errstate(invalid="ignore", divide="ignore"):
            pairs["r_soft"] = 0.5 * (of["r_soft"][:, None] + of["r_soft"][None, :])
            for name in ("r_s", "r_p", "r_pp"):
                pairs[name] = 0.5 * (of[name][:, None] + of[name][None, :])
                pairs[f"has_{name[2:]}"] = ((of[name] > 0.0)[:, None] & (of[name] > 0.0)[None, :]).astype(float)
            for name in ("boc3", "boc4", "boc5", "alpha", "gamma_w", "r_core", "e_core", "a_core", "c_lg"):
                pairs[name] = np.sqrt(outer(name))
            pairs["D"] = np.sqrt(outer("epsilon"))
            pairs["r_vdw"] = 2.0 * np.sqrt(outer("r_vdw"))
            pairs["r_lg"] = 2.0 * made.general["lg"] * np.sqrt(outer("r_lg"))
            pairs["gamma3"] = outer("gamma") ** -1.5
        n = len(made.names)
        pairs |= {name: np.zeros((n, n)) for line in BOND for name in line if name}

    def _place(self, made: ForceField, words: list[str], what: str, wild: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Elements that a line names by their numbers, from 0; -1 for a 0 where that is allowed. Some files were made from
        larger ones: lines of elements that are not there count nothing."""
        found = []
        for k, word in enumerate(words):
            value = self.file.integer(word, f"an element of {what}")
            if value < 0 or (value == 0 and k not in wild):
                raise self.file.fail(f"{what} names element {value}, and there are elements 1 to {len(made.names)}")
            found.append(value - 1)
        return tuple(found)

    @staticmethod
    def _known(made: ForceField, key: tuple[int, ...]) -> bool:
        return max(key) < len(made.names)

    def _entry(self, made: ForceField, size: int, names: tuple[str, ...], what: str, wild: tuple[int, ...] = ()
               ) -> tuple[tuple[int, ...], Numbers]:
        words = self.words(f"the line of {what}", size + len(names))
        key = self._place(made, words[:size], what, wild)
        return key, tuple(self.numbers(words[size:], names, f"{what} {' '.join(words[:size])}"))

    def _bonds(self, made: ForceField) -> None:
        n = self.count("bonds")
        self.file.skip(1)
        for _ in range(n):
            (i, j), first = self._entry(made, 2, BOND[0], "a bond")
            words = self.words("the second line of a bond", len(BOND[1]))
            second = self.numbers(words, BOND[1], f"bond {i + 1} {j + 1}")
            for name, value in zip((*BOND[0], *BOND[1]), (*first, *second), strict=True):
                if name and self._known(made, (i, j)):
                    made.pairs[name][i, j] = made.pairs[name][j, i] = value

    def _unlike(self, made: ForceField) -> None:
        names = (*UNLIKE, *(("c_lg",) if self.lg else ()))
        for _ in range(self.count("unlike pairs (off-diagonal terms)")):
            (i, j), values = self._entry(made, 2, names, "an unlike pair")
            for name, value in zip(names, values, strict=True):
                if self._known(made, (i, j)) and (value > 0.0 or (name == "c_lg" and value == 0.0)):
                    value *= 2.0 if name == "r_vdw" else 1.0
                    made.pairs[name][i, j] = made.pairs[name][j, i] = value

    def _torsions(self, made: ForceField) -> None:
        """Lines for all ends fill what has no line of its own, wherever they stand."""
        own: set[Elements] = set()
        every = range(len(made.names))
        for _ in range(self.count("torsions")):
            (i, j, k, m), values = self._entry(made, 4, TORSION, "a torsion", wild=(0, 3))
            if not self._known(made, (i, j, k, m)):
                continue
            if i >= 0 and m >= 0:
                both = {(i, j, k, m), (m, k, j, i)}
                own |= both
            else:
                both = {quad for a in every for b in every for quad in ((a, j, k, b), (b, k, j, a)) if quad not in own}
            made.torsions |= dict.fromkeys(both, values)

    def _hbonds(self, made: ForceField) -> None:
        file = self.file
        if not any(line.split("#", 1)[0].strip() for line in file.lines[file.line :]):
            return
        for _ in range(self.count("hydrogen bonds")):
            (i, j, k), values = self._entry(made, 3, HBOND, "a hydrogen bond")
            if self._known(made, (i, j, k)):
                made.hbonds[i, j, k] = values


def read_ffield(name: str, lg: bool = False) -> ForceField:
    return Reader(name, lg).read()

"""Embedded-ion method: atoms give each other charges by their electronegativities, and attract each other by these.

E = 1/2 sum_ij phi(r_ij) + 1/2 sum_i q_i sigma_i,  q_i = sum_j eta_ij(r_ij),  sigma_i = sum_j q_j psi(r_ij)
eta_ij = A_eta (chi_j - chi_i) f(r; r_eta, c_eta),  psi = A_psi exp(-zeta r) f(r; r_psi, c_psi)
phi = E_b/(beta - alpha) [beta exp(-alpha x) f(r; r_e, c_A) - alpha exp(-beta x) f(r; r_e, c_R)],  x = r/r_e - 1
      or with (r_e/r)^alpha and (r_e/r)^beta instead, where p is 2
f = [erfc(y) - erfc(S)] / [erfc(B) - erfc(S)],  y = B + (S - B) (r - r_p)/(r_c - r_p);  0 beyond r_c
                                                              (Zhou and Doty, Phys. Rev. B 78, 224307)

    pair_style eim    pair_coeff * * El1 El2 … FILE Name1 Name2 …     elements to read, the file, then one for each atom type

Entries of a file, which & at the end of a line continues: `global:` division B S; `element:` name number mass chi and four
numbers that are not used; `pair:` two names, c_A c_R E_b r_e alpha beta c_eta A_eta r_eta c_psi A_psi zeta r_psi p. Masses are
those of the file. As in the reference functions are read from tables of 5000 points, up to the farthest cutoff of all; a pair
ends at the farthest of its own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments
from everlet.forces.manybody.eam.eam import cubics, interval, quadratic, value
from everlet.forces.manybody.eam.mutual import MutualStyle
from everlet.forces.pair.base import pair_style
from everlet.forces.potential_file import PotentialFile
from everlet.portable import lookup4, lookup8, portable

POINTS = 5000
NEAREST = 0.2  # functions are constant below
COLUMNS = ("c_A", "c_R", "E_b", "r_e", "alpha", "beta", "c_eta", "A_eta", "r_eta", "c_psi", "A_psi", "zeta", "r_psi", "p")
CUTOFFS = ("c_A", "c_R", "c_eta", "c_psi")
ELEMENT = ("a number", "a mass", "chi", "a radius", "a radius", "an energy", "a charge")
Entry = dict[str, float]


class EimFile:
    """Numbers of all elements and pairs of a file; energies in `units`."""

    def __init__(self, name: str, units: str):
        self.file = PotentialFile(name)
        factor = self.file.energy_factor(units)
        self.ends = np.zeros(0)
        self.elements: dict[str, tuple[float, float]] = {}  # mass and electronegativity
        self.pairs: dict[tuple[str, str], Entry] = {}
        while (words := self._entry()):
            key, rest = words[0], words[1:]
            if key == "global:":
                self.ends = np.array(self._numbers(key, rest, 0, ("division", "B", "S")))[1:]
            elif key == "element:":
                found = self._numbers(key, rest, 1, ELEMENT)
                self.elements[rest[0]] = found[1], found[2]
            elif key == "pair:":
                entry = dict(zip(COLUMNS, self._numbers(key, rest, 2, COLUMNS), strict=True))
                if entry["p"] not in (1.0, 2.0) or entry["alpha"] == entry["beta"] or entry["r_e"] <= 0.0:
                    raise self.file.fail(f"{rest[0]} {rest[1]}: p is {entry['p']:g}, alpha {entry['alpha']:g}, beta "
                                         f"{entry['beta']:g}, r_e {entry['r_e']:g}", "p is 1 or 2, r_e more than 0, alpha not "
                                         "beta")
                entry["E_b"] *= factor
                entry["A_psi"] *= factor
                self.pairs[rest[0], rest[1]] = self.pairs[rest[1], rest[0]] = entry
            else:
                raise self.file.fail(f"'{key}' begins no entry", "entries begin with global:, element: or pair:")
        if not self.ends.size or self.ends[0] == self.ends[1]:
            raise self.file.fail("no global: entry with two different numbers B and S")

    def _entry(self) -> list[str]:
        """Words of the next entry; none at the end."""
        words = list[str]()
        while not words or words[-1] == "&":
            try:
                words = words[:-1] + self.file.words("the rest of an entry")
            except InputError:
                if words:
                    raise
                break
        return words

    def _numbers(self, key: str, words: list[str], names: int, columns: tuple[str, ...]) -> list[float]:
        if len(words) < names + len(columns):
            raise self.file.fail(f"{key} has {len(words)} words of {names + len(columns)}: {'a name, ' * names}"
                                 f"{', '.join(columns)}")
        return [self.file.number(word, column) for word, column in zip(words[names:], columns, strict=False)]


def fade(r: np.ndarray, ends: np.ndarray, first: float, cut: float) -> np.ndarray:
    """f of the distances r."""
    begin, end = ends
    if cut <= first:
        return np.where(r < cut, 1.0, 0.0)
    y = begin + (end - begin) * (r - first) / (cut - first)
    low = math.erfc(end)
    f = (np.array([math.erfc(one) for one in y]) - low) / (math.erfc(begin) - low)
    return np.where(r < cut, f, 0.0)


def repulsion(r: np.ndarray, ends: np.ndarray, v: Entry) -> np.ndarray:
    """phi."""
    alpha, beta, x = v["alpha"], v["beta"], r / v["r_e"]
    if v["p"] == 1.0:
        attract, repel = np.exp(-alpha * (x - 1.0)), np.exp(-beta * (x - 1.0))
    else:
        attract, repel = x**-alpha, x**-beta
    return v["E_b"] / (beta - alpha) * (beta * attract * fade(r, ends, v["r_e"], v["c_A"])
                                        - alpha * repel * fade(r, ends, v["r_e"], v["c_R"]))


@pair_style("eim")
class Eim(MutualStyle):
    def coeff(self, args: list[str]) -> None:
        n = self.system.ntypes
        usage = f"pair_coeff * * El1 El2 … FILE {' '.join(f'Name{k + 1}' for k in range(n))}"
        arguments(args, n + 4, None, usage)
        read, name, names = args[2 : -n - 1], args[-n - 1], args[-n:]
        self.elements([*args[:2], name, *names])
        found = EimFile(name, self.system.units.name)
        for one in read:
            if one not in found.elements:
                raise InputError(f"{found.file.path} has no element '{one}'", f"usage: {usage}")
        for one in names:
            if one != "NULL" and one not in read:
                raise InputError(f"'{one}' is not among the elements before the file: {' '.join(read)}", f"usage: {usage}")
        for a in read:
            for b in read:
                if (a, b) not in found.pairs:
                    raise InputError(f"{found.file.path} has no pair {a} {b}", "elements need all pairs")
        self.found, self.read = found, read
        self.names, self.lines = dict(enumerate(names, 1)), [args]
        for k, one in self.names.items():
            if one != "NULL":
                self.system.masses[k] = found.elements[one][0]

    def init(self) -> None:
        self.need_elements("El1 El2 … FILE and elements")
        self.need_newton()
        n, found = self.system.ntypes, self.found
        reach = {(a, b): max(found.pairs[a, b][name] for name in CUTOFFS) for a in self.read for b in self.read}
        self.max_cutoff = max(reach.values())
        step = self.max_cutoff / (POINTS - 1)
        r = np.maximum(step * np.arange(POINTS), NEAREST)
        blocks, starts = [np.zeros(12)], dict[Any, int]()
        for a in self.read:
            for b in self.read:
                if (a, b) not in starts:
                    v, ends = found.pairs[a, b], found.ends
                    attraction = v["A_psi"] * np.exp(-v["zeta"] * r)
                    tables = (repulsion(r, ends, v), attraction * fade(r, ends, v["r_psi"], v["c_psi"]),
                              v["A_eta"] * fade(r, ends, v["r_eta"], v["c_eta"]))
                    starts[a, b] = starts[b, a] = sum(block.size for block in blocks)
                    blocks.append(np.concatenate([cubics(table, 0.0) for table in tables], axis=1).ravel())
        self.data = np.concatenate(blocks)
        self.fields = ("start", "inverse", "last", "difference")
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        for i, a in self.names.items():
            for j, b in self.names.items():
                if (a, b) in starts:
                    difference = found.elements[b][1] - found.elements[a][1]
                    self.table_array[i, j] = starts[a, b], 1.0 / step, POINTS - 2, difference
                    self.cutoffs[i, j] = reach[a, b]
        self.pairs = {}

    @portable
    def amount(r2, p, data):
        _, k, t = interval(r2, p)
        a, b, c, d = lookup4(data, p.start + 12.0 * k + 8.0)
        eta, slope = value(t, a, b, c, d), quadratic(t, 3.0 * a, 2.0 * b, c) * p.inverse
        return p.difference * eta, p.difference * slope, 0.0 * t, 0.0 * t

    @portable
    def mutual(r2, q_i, none_i, q_j, none_j, p, data):
        _, k, t = interval(r2, p)
        a, b, c, d, sa, sb, sc, sd = lookup8(data, p.start + 12.0 * k)
        psi = value(t, sa, sb, sc, sd)
        along = quadratic(t, 3.0 * a, 2.0 * b, c) + q_i * q_j * quadratic(t, 3.0 * sa, 2.0 * sb, sc)
        return value(t, a, b, c, d) + q_i * q_j * psi, along * p.inverse, q_j * psi, 0.0 * t

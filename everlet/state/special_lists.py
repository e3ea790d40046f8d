"""The field `special` of atoms: for each of them those that are one, two or three bonds away."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.state.atoms import Atoms
from everlet.state.special import Special
from everlet.state.system import System
from everlet.state.topology import ANGLE, BOND, DIHEDRAL, has, links, rows_of


def renew_special(system: System) -> None:
    """Lists that follow from the links as they are, if these have changed. All atoms must be here."""
    if has(system.atoms, BOND) and system.topology.stale:
        make_special(system.atoms, system.topology.special)
        system.topology.stale = False


def make_special(atoms: Atoms, special: Special) -> None:
    """The field from the links; all atoms must be here. Levels are the shortest ways along bonds.

    special_bonds angle: of the pairs two bonds apart only those count that an angle or a dihedral names; dihedral: the same
    for three bonds. A pair that does not count may be one of the next level by another way.
    """
    n, ids = atoms.n, atoms.read("id")
    pairs = _pairs(atoms, links(atoms, BOND)[:, 1:], [(0, 1)])
    merged = Merged(atoms, pairs, special.shells)
    pairs = merged(pairs)
    start = np.searchsorted(pairs // max(n, 1), np.arange(n + 1))
    selves = np.arange(n) * (n + 1)
    seen, known, ways = _distinct(np.concatenate([pairs, selves])), [pairs], pairs
    for depth in range(2, special.deepest() + 1):
        ways = _further(ways, pairs, start, n)
        level = ways[~_among(ways, seen)]
        ways = ways[~_among(ways, selves)]
        if depth == 2 and special.angle:
            named = [_pairs(atoms, links(atoms, ANGLE)[:, 1:], [(0, 2)]),
                     _pairs(atoms, links(atoms, DIHEDRAL)[:, 1:], [(0, 2), (1, 3)])]
            level = level[_among(level, merged(np.concatenate(named)))]
        if depth == 3 and special.dihedral:
            level = level[_among(level, merged(_pairs(atoms, links(atoms, DIHEDRAL)[:, 1:], [(0, 3)])))]
        seen = _distinct(np.concatenate([seen, level]))
        known.append(level)
    known = merged.apart(known)
    row = np.concatenate([pairs // max(n, 1) for pairs in known])
    entry = np.concatenate([4 * ids[pairs % max(n, 1)] + depth + 1 for depth, pairs in enumerate(known)])
    sequence = np.argsort(row, kind="stable")
    row, entry = row[sequence], entry[sequence]
    counts = np.bincount(row, minlength=n)
    if "special" in atoms.fields:
        atoms.remove_field("special")
    atoms.add_field("special", np.int64, max(int(counts.max(initial=0)), 2))
    atoms.edit("special")[row, np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)] = entry


class Merged:
    """Atoms with those shells that have their special pairs as one: pairs of rows (i, k), as i * n + k."""

    def __init__(self, atoms: Atoms, bonds: np.ndarray, shells: tuple[int, ...]):
        self.n = max(atoms.n, 1)
        self.core = np.arange(self.n)
        if shells and atoms.n:
            shell = np.isin(atoms.read("type"), shells)
            i, k = bonds // self.n, bonds % self.n
            tied = shell[i] & ~shell[k]
            if (np.bincount(i[tied], minlength=atoms.n)[shell] != 1).any():
                raise InputError("a Drude particle is not bound to one core", "give each one a bond to its core")
            self.core[i[tied]] = k[tied]

    def __call__(self, pairs: np.ndarray) -> np.ndarray:
        """Pairs of cores."""
        i, k = self.core[pairs // self.n], self.core[pairs % self.n]
        return _distinct((i * self.n + k)[i != k])

    def apart(self, known: list[np.ndarray]) -> list[np.ndarray]:
        """Pairs of each level with those of shells."""
        shells = np.flatnonzero(self.core != np.arange(self.n))
        if not len(shells):
            return known
        of = np.full(self.n, -1)
        of[self.core[shells]] = shells
        found = []
        for pairs in known:
            i, k = pairs // self.n, pairs % self.n
            each = [(i, k), (of[i], k), (i, of[k]), (of[i], of[k])]
            found.append(_distinct(np.concatenate([(a * self.n + b)[(a >= 0) & (b >= 0)] for a, b in each])))
        own = np.concatenate([shells * self.n + self.core[shells], self.core[shells] * self.n + shells])
        found[0] = _distinct(np.concatenate([found[0], own]))
        return found


def bonds_apart(owners: np.ndarray, special: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """How many bonds lie between atoms of ids `first` and `second`, 0: more than three. special: the rows of those of ids
    `owners`, among which `first` must be."""
    owner, place = np.nonzero(special)
    entries, most = special[owner, place].astype(np.int64), int(max(owners.max(initial=0), second.max(initial=0))) + 1
    keys = owners[owner].astype(np.int64) * most + entries // 4
    if not len(keys):
        return np.zeros(len(first), np.int64)
    order, wanted = np.argsort(keys), first.astype(np.int64) * most + second
    at = order[np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)]
    return np.where(keys[at] == wanted, entries[at] % 4, 0)


def _distinct(values: np.ndarray) -> np.ndarray:
    """Sorted, each once; np.unique hashes, and is slow for numbers such as these."""
    values = np.sort(values)
    return values[np.concatenate([np.ones(min(len(values), 1), bool), values[1:] != values[:-1]])]


def _among(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Which values are among known ones, which are sorted."""
    if not len(known):
        return np.zeros(len(values), bool)
    return known[np.minimum(np.searchsorted(known, values), len(known) - 1)] == values


def _pairs(atoms: Atoms, found: np.ndarray, ends: list[tuple[int, int]]) -> np.ndarray:
    """Pairs of rows (i, k), both ways, of these places of links, as i * n + k."""
    rows = rows_of(atoms, found)
    rows = rows[(rows >= 0).all(axis=1)]
    both = [rows[:, a] * atoms.n + rows[:, b] for first, second in ends for a, b in ((first, second), (second, first))]
    return _distinct(np.concatenate(both))


def _further(pairs: np.ndarray, bonds: np.ndarray, start: np.ndarray, n: int) -> np.ndarray:
    """Pairs (i, k) for all pairs (i, j) and bonds (j, k), as i * n + k."""
    i, j = pairs // max(n, 1), pairs % max(n, 1)
    counts = start[j + 1] - start[j]
    at = np.repeat(start[j], counts) + np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return _distinct(np.repeat(i, counts) * n + bonds[at] % max(n, 1))

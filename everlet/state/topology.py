"""Topology: which atoms are linked, and which pairs are special because of that.

Bonds are fields of atoms. Each atom has all its bonds, so that they go where it goes:

    bond_type   (n, B) int32   the type of each; 0 or less: switched off
    bond_atom   (n, B) int64   the id of the other atom; minus its id where the other one comes first; 0: none
    special     (n, S) int64   4 * id + level of atoms that are one (1-2), two (1-3) or three (1-4) bonds away; 0: none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.state.atoms import Atoms

PRESETS = {"amber": ((0.0, 0.0, 0.5), (0.0, 0.0, 5.0 / 6.0)), "charmm": ((0.0, 0.0, 0.0),) * 2,
           "dreiding": ((0.0, 0.0, 1.0),) * 2, "fene": ((0.0, 1.0, 1.0),) * 2}
Weights = tuple[float, float, float]


@dataclass
class Special:
    """special_bonds: factors of pair forces between atoms that are one, two or three bonds apart."""

    lj: Weights = (0.0, 0.0, 0.0)
    coul: Weights = (0.0, 0.0, 0.0)

    def deepest(self) -> int:
        """The last level whose pairs differ from others."""
        return max([level + 1 for level in range(1, 3) if self.lj[level] != 1.0 or self.coul[level] != 1.0], default=1)

    def dropped(self) -> list[bool]:
        """By level 0 … 3: pairs are left out of neighbour lists, since their factors are not both 1."""
        return [False, *(a != 1.0 or b != 1.0 for a, b in zip(self.lj, self.coul, strict=True))]

    def scaled(self) -> list[bool]:
        """By level: pairs that are left out and have a force nevertheless."""
        return [False, *((a, b) not in ((0.0, 0.0), (1.0, 1.0)) for a, b in zip(self.lj, self.coul, strict=True))]


@dataclass
class Topology:
    """What is known of links between atoms besides the fields of atoms."""

    bond_types: int = 0
    extra_bonds: int = 0  # room for so many more bonds of an atom
    special: Special = field(default_factory=Special)
    stale: bool = True  # special lists must be made anew

    def bond_range(self, word: str) -> range:
        """Bond types named by a number or a range: 2, *, 2*, *3, 1*4."""
        low, star, high = word.partition("*")
        try:
            first = int(low) if low else 1
            last = (int(high) if high else self.bond_types) if star else first
        except ValueError:
            raise InputError(f"'{word}' is not a bond type", "give a number, or a range such as 1*3") from None
        if not 1 <= first <= last <= self.bond_types:
            raise InputError(f"bond type '{word}' is out of range 1 to {self.bond_types}",
                             "create_box or read_data says how many there are")
        return range(first, last + 1)


def bonds(atoms: Atoms) -> np.ndarray:
    """All bonds (count, 3): type, first atom, second atom, in the order of the first atom's rows."""
    if "bond_atom" not in atoms.fields or not atoms.n:
        return np.zeros((0, 3), np.int64)
    other, type = (atoms.read(name).reshape(atoms.n, -1) for name in ("bond_atom", "bond_type"))
    rows, places = np.nonzero(other > 0)
    return np.stack([type[rows, places], atoms.read("id")[rows], other[rows, places]], axis=1).astype(np.int64)


def count_bonds(atoms: Atoms) -> int:
    return int((atoms.read("bond_atom") > 0).sum()) if "bond_atom" in atoms.fields else 0


def set_bonds(atoms: Atoms, found: np.ndarray, extra: int = 0) -> None:
    """Give atoms these bonds (type, first, second) and no others; ids must exist."""
    ids = atoms.read("id")
    order = np.argsort(ids, kind="stable")
    first, second = (order[np.searchsorted(ids, found[:, k], sorter=order)] for k in (1, 2))
    rows = np.concatenate([first, second])
    others, types = np.concatenate([found[:, 2], -found[:, 1]]), np.tile(found[:, 0], 2)
    sequence = np.lexsort((np.tile(np.arange(len(found)), 2), rows))
    rows, others, types = rows[sequence], others[sequence], types[sequence]
    counts = np.bincount(rows, minlength=atoms.n)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    width = max(int(counts.max(initial=0)) + extra, 2)  # two at least: fields of one number have another shape
    for name, dtype, values in (("bond_type", np.int32, types), ("bond_atom", np.int64, others)):
        if name in atoms.fields:
            atoms.remove_field(name)
        atoms.add_field(name, dtype, width)
        atoms.edit(name)[rows, place] = values


def make_special(atoms: Atoms, special: Special) -> None:
    """The field `special` from the bonds; all atoms must be here. Levels are the shortest ways along bonds."""
    n, ids = atoms.n, atoms.read("id")
    order = np.argsort(ids, kind="stable")
    found = bonds(atoms)
    first, second = (order[np.searchsorted(ids, found[:, k], sorter=order)] for k in (1, 2))
    pairs = np.unique(np.concatenate([first * n + second, second * n + first])) if len(found) else np.zeros(0, np.int64)
    start = np.searchsorted(pairs // max(n, 1), np.arange(n + 1))
    known, level = [pairs], pairs
    seen = np.union1d(pairs, np.arange(n) * (n + 1))
    for _ in range(special.deepest() - 1):
        level = np.setdiff1d(_further(level, pairs, start, n), seen)
        seen = np.union1d(seen, level)
        known.append(level)
    row = np.concatenate([pairs // max(n, 1) for pairs in known])
    entry = np.concatenate([4 * ids[pairs % max(n, 1)] + depth + 1 for depth, pairs in enumerate(known)])
    sequence = np.argsort(row, kind="stable")
    row, entry = row[sequence], entry[sequence]
    counts = np.bincount(row, minlength=n)
    if "special" in atoms.fields:
        atoms.remove_field("special")
    atoms.add_field("special", np.int64, max(int(counts.max(initial=0)), 2))
    atoms.edit("special")[row, np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)] = entry


def _further(pairs: np.ndarray, links: np.ndarray, start: np.ndarray, n: int) -> np.ndarray:
    """Pairs (i, k) for all pairs (i, j) and links (j, k), as i * n + k."""
    i, j = pairs // n, pairs % n
    counts = start[j + 1] - start[j]
    at = np.repeat(start[j], counts) + np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.unique(np.repeat(i, counts) * n + links[at] % n)


def state(topology: Topology) -> dict[str, Any]:
    """What a restart file keeps."""
    return {"bond_types": topology.bond_types, "lj": topology.special.lj, "coul": topology.special.coul}


def restored(content: dict[str, Any]) -> Topology:
    found = Topology(bond_types=content.get("bond_types", 0))
    if "lj" in content:
        found.special = Special(tuple(content["lj"]), tuple(content["coul"]))
    return found

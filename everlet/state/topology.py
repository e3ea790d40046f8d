"""Topology: which atoms are linked: bonds, angles, dihedrals and impropers.

Links are fields of atoms. Every atom of a link has it, so that links go where atoms go:

    {kind}_type    (n, W) int32          the type of each; 0 or less: switched off
    {kind}_atoms   (n, W * size) int64   the ids of all its atoms in order, one link after the other; 0: none
    special        (n, S) int64          4 * id + level of atoms one (1-2), two (1-3) or three (1-4) bonds away; 0: none

A new kind of links is one Kind here: data files, restart files, atom styles, commands and thermo words follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.state.atoms import Atoms
from everlet.state.special import Special


@dataclass(frozen=True)
class Kind:
    """One kind of links."""

    name: str
    size: int  # atoms
    owner: int  # place of the atom that a link is counted with
    energy: str  # its word in the ledger
    cross: tuple[tuple[str, str], ...] = ()  # further sections of coefficients, and the word of {name}_coeff they stand for

    @property
    def plural(self) -> str:
        return f"{self.name}s"

    @property
    def title(self) -> str:
        """Of its section in data files."""
        return self.plural.capitalize()

    @property
    def type(self) -> str:
        """The field of types."""
        return f"{self.name}_type"

    @property
    def atoms(self) -> str:
        """The field of ids."""
        return f"{self.name}_atoms"

    def sections(self) -> dict[str, str]:
        """Sections of coefficients in data files, and the words that {name}_coeff has for them behind the type."""
        return {f"{self.name.capitalize()} Coeffs": ""} | {f"{title} Coeffs": word for title, word in self.cross}


DENSE = 4  # times as many ids as atoms, at most, are looked up in a table
BOND = Kind("bond", 2, 0, "bond")
ANGLE = Kind("angle", 3, 1, "angle", (("BondBond", "bb"), ("BondAngle", "ba")))
DIHEDRAL = Kind("dihedral", 4, 1, "dihed", (("MiddleBondTorsion", "mbt"), ("EndBondTorsion", "ebt"), ("AngleTorsion", "at"),
                                            ("AngleAngleTorsion", "aat"), ("BondBond13", "bb13")))
IMPROPER = Kind("improper", 4, 1, "imp", (("AngleAngle", "aa"),))
KINDS = {kind.name: kind for kind in (BOND, ANGLE, DIHEDRAL, IMPROPER)}


@dataclass
class Topology:
    """What is known of links besides the fields of atoms; dictionaries are by kind."""

    types: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    extra: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))  # room for so many more of an atom
    labels: dict[str, dict[str, int]] = field(default_factory=lambda: {name: {} for name in KINDS})  # of types
    special: Special = field(default_factory=Special)
    stale: bool = True  # special lists must be made anew

    def type_of(self, kind: Kind, word: str) -> int:
        """A type from a number or a label."""
        type = self.labels[kind.name].get(word)
        if type is None:
            try:
                type = int(word)
            except ValueError:
                raise InputError(f"'{word}' is not {_a(kind)} type", "give a number, or a range such as 1*3") from None
        if not 1 <= type <= self.types[kind.name]:
            raise InputError(f"{kind.name} type '{word}' is out of range 1 to {self.types[kind.name]}",
                             "create_box or read_data says how many there are")
        return type

    def type_range(self, kind: Kind, word: str) -> range:
        """Types named by a number, a label or a range: 2, *, 2*, *3, 1*4."""
        low, star, high = word.partition("*")
        if not star or word in self.labels[kind.name]:
            type = self.type_of(kind, word)
            return range(type, type + 1)
        first = self.type_of(kind, low) if low else 1
        last = self.type_of(kind, high) if high else self.types[kind.name]
        if first > last:
            raise InputError(f"the range of {kind.name} types '{word}' is empty", "write the smaller type first: 1*4")
        return range(first, last + 1)


def _a(kind: Kind) -> str:
    return f"a{'n' if kind.name[0] in 'ai' else ''} {kind.name}"


def has(atoms: Atoms, kind: Kind) -> bool:
    """Atoms of this style can have such links."""
    return kind.atoms in atoms.fields


def _owned(atoms: Atoms, kind: Kind) -> tuple[np.ndarray, np.ndarray]:
    """Ids (n, W, size) of the links of all atoms, and which of them are counted with the atom."""
    ids = atoms.read(kind.atoms).reshape(atoms.n, -1, kind.size)
    return ids, ids[:, :, kind.owner] == atoms.read("id")[:, None]


def links(atoms: Atoms, kind: Kind) -> np.ndarray:
    """All links (count, 1 + size): type and ids, each link once, in the order of the atoms they are counted with."""
    if not has(atoms, kind) or not atoms.n:
        return np.zeros((0, 1 + kind.size), np.int64)
    ids, own = _owned(atoms, kind)
    return np.concatenate([atoms.read(kind.type)[own][:, None], ids[own]], axis=1).astype(np.int64)


def count_links(atoms: Atoms, kind: Kind) -> int:
    return int(_owned(atoms, kind)[1].sum()) if has(atoms, kind) and atoms.n else 0


def rows_of(atoms: Atoms, ids: np.ndarray) -> np.ndarray:
    """Rows of atoms by id; -1 for those that do not exist."""
    known = atoms.read("id")
    if not len(known):
        return np.full(np.shape(ids), -1)
    if known.max() < DENSE * len(known) and known.min() >= 0:  # a table by id: no search
        table = np.full(int(known.max()) + 2, -1)
        table[known[::-1]] = np.arange(len(known))[::-1]
        return table[np.clip(ids, -1, len(table) - 1)]
    order = np.argsort(known, kind="stable")
    rows = order[np.minimum(np.searchsorted(known, ids, sorter=order), len(known) - 1)]
    return np.where(known[rows] == ids, rows, -1)


def set_links(atoms: Atoms, kind: Kind, table: np.ndarray, extra: int = 0) -> None:
    """Give atoms these links (type and ids, as in `links`) and no others of this kind. `extra`: room for so many more of each
    atom.
    """
    rows = rows_of(atoms, table[:, 1:]).ravel()
    order = np.argsort(rows, kind="stable")[np.count_nonzero(rows < 0) :]
    which, rows = order // kind.size, rows[order]
    counts = np.bincount(rows, minlength=atoms.n)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    width = max(int(counts.max(initial=0)) + extra, 2)  # two at least: fields of one number have another shape
    for name, dtype, size, values in ((kind.type, np.int32, 1, table[:, 0]), (kind.atoms, np.int64, kind.size, table[:, 1:])):
        if name in atoms.fields:
            atoms.remove_field(name)
        atoms.add_field(name, dtype, width * size)
        array = atoms.edit(name)
        for k in range(size):
            array[rows, place * size + k] = values[which] if size == 1 else values[which, k]


def relabel(atoms: Atoms, new: np.ndarray) -> None:
    """Other ids for atoms, in links too, and in fields of partners. Links to atoms that are not there are refused."""
    old = atoms.read("id").copy()
    for kind in KINDS.values():
        if has(atoms, kind):
            ids = atoms.edit(kind.atoms)
            rows = rows_of(atoms, ids)
            gone = np.argwhere((rows < 0) & (ids > 0))
            if len(gone):
                i, place = gone[0]
                raise InputError(f"atom {ids[i, place]}, which is linked to atom {old[i]}, does not exist",
                                 "delete links with their atoms: delete_atoms … bond yes")
            ids[:] = np.where(ids > 0, new[rows], 0)
    for name in atoms.partners():
        ids = atoms.edit(name)
        rows = rows_of(atoms, ids)
        ids[:] = np.where((ids > 0) & (rows >= 0), new[rows], 0)
    atoms.edit("id")[:] = new


def state(topology: Topology) -> dict[str, Any]:
    """What a restart file keeps."""
    special = topology.special
    return {"types": topology.types, "labels": topology.labels, "lj": special.lj, "coul": special.coul,
            "angle": special.angle, "dihedral": special.dihedral, "stale": topology.stale}


def restored(content: dict[str, Any]) -> Topology:
    special = Special(tuple(content["lj"]), tuple(content["coul"]), content["angle"], content["dihedral"])
    return Topology(types=dict(content["types"]), labels=dict(content["labels"]), special=special,
                    stale=content.get("stale", True))

"""Bonds that form between atoms that come near."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, available, integer, number
from everlet.fixes.base import fix_style
from everlet.fixes.bonds.bond_changes import BondChanges
from everlet.forces.pair.single import nearest
from everlet.neighbor.exclusions import left_out
from everlet.state.atoms import Atoms
from everlet.state.near_pairs import near_pairs
from everlet.state.special_lists import bonds_apart
from everlet.state.system import System
from everlet.state.topology import ANGLE, BOND, DIHEDRAL, has, links, rows_of

USAGE = ("fix ID group bond/create N ITYPE JTYPE R BONDTYPE [iparam MAX NEWTYPE] [jparam MAX NEWTYPE] [prob FRACTION SEED] "
         "[atype ANGLETYPE] [dtype DIHEDRALTYPE]")
KEYWORDS = {"iparam": 2, "jparam": 2, "prob": 2, "atype": 1, "dtype": 1}
REFUSED = {"itype": "impropers are not created", "aconstrain": "angles are not looked at"}


@fix_style("bond/create")
class BondCreate(BondChanges):
    """fix ID group bond/create N ITYPE JTYPE R BONDTYPE [iparam MAX NEWTYPE] [jparam MAX NEWTYPE] [prob FRACTION SEED] …

    Every N steps a bond joins atoms of types ITYPE and JTYPE of the group that are nearer than R, if each is the nearest such
    atom of the other, and with the probability FRACTION. iparam, jparam: such an atom has at most MAX bonds of the type, and is
    of NEWTYPE when it has them. atype, dtype: angles and dihedrals along new bonds are created, of these types.
    """

    name = "bond/create"
    adds_links = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 5, None, USAGE)
        super().__init__(system, id, group, args)
        self.types = [system.type_of(word) for word in args[1:3]]
        self.reach, self.type = number(args[3], "a distance"), self.bond_type(args[4])
        self.most, self.new = [0, 0], list(self.types)
        self.made = {ANGLE: 0, DIHEDRAL: 0}
        words = list(args[5:])
        while words:
            word = words.pop(0)
            available("keyword of fix bond/create", word, KEYWORDS, REFUSED)
            values, words = words[: KEYWORDS[word]], words[KEYWORDS[word] :]
            arguments(values, KEYWORDS[word], KEYWORDS[word], USAGE)
            self._keyword(word, values)
        if self.types[0] == self.types[1] and (self.most[0], self.new[0]) != (self.most[1], self.new[1]):
            raise InputError("fix bond/create: atoms of one type have two sets of parameters",
                             "give iparam and jparam the same numbers")

    def _keyword(self, word: str, values: list[str]) -> None:
        if word in ("iparam", "jparam"):
            side = 0 if word == "iparam" else 1
            self.most[side], self.new[side] = integer(values[0], "a number of bonds"), self.system.type_of(values[1])
        elif word == "prob":
            self.probability(values)
        else:
            kind = ANGLE if word == "atype" else DIHEDRAL
            if not has(self.system.atoms, kind):
                raise InputError(f"fix bond/create {word}: atoms of this style have no {kind.plural}",
                                 "use atom_style molecular")
            self.made[kind] = self.system.topology.type_of(kind, values[0])

    def setup(self) -> None:
        if self.system.evaluator.neighbor.settings.exclude.rows:
            raise InputError(f"fix {self.id} bond/create does not know the pairs that neigh_modify exclude leaves out",
                             "use neigh_modify exclude none, or another group for the fix")
        cutoff = self.system.pair.max_cutoff if self.system.pair is not None else 0.0
        if self.reach > cutoff:
            raise InputError(f"fix {self.id} bond/create: atoms are looked for within {self.reach:g}, which is longer than the "
                             f"cutoff {cutoff:g}", "use a pair style with a longer cutoff")

    def change(self, atoms: Atoms) -> int:
        system, kinds = self.system, atoms.read("type")
        table = links(atoms, BOND)
        ends = rows_of(atoms, table[table[:, 0] == self.type, 1:])
        counts = np.bincount(ends[ends >= 0].ravel(), minlength=atoms.n)
        rows = np.flatnonzero((atoms.read("mask") & self.bit) != 0)
        rows = rows[np.isin(kinds[rows], self.types)]
        i, j = near_pairs(system.need_box(), atoms.read("x")[rows, :3], 0.0, self.reach)
        i, j = rows[i], rows[j]
        may = np.zeros(len(i), bool)
        for a, b in ((0, 1), (1, 0)):
            fits = (kinds[i] == self.types[a]) & (kinds[j] == self.types[b])
            room = [not most or counts[at] < most for most, at in ((self.most[a], i), (self.most[b], j))]
            may |= fits & room[0] & room[1]
        pairs = np.stack([i, j], axis=1)[may]
        pairs = pairs[~self._unseen(atoms, pairs)]
        x = atoms.read("x")
        r2 = (nearest(system.need_box(), x[pairs[:, 0], :3] - x[pairs[:, 1], :3]) ** 2).sum(axis=1)
        near = r2 < self.reach**2
        made = self.mutual(atoms, pairs[near], r2[near], longest=False)
        if len(made):
            self._join(atoms, table, np.sort(atoms.read("id")[made], axis=1), made, counts)
        return len(made)

    def _unseen(self, atoms: Atoms, pairs: np.ndarray) -> np.ndarray:
        """Pairs that are bonded, or that lists leave out since special_bonds gives them no force."""
        if "special" not in atoms.fields:
            return np.zeros(len(pairs), bool)
        ids = atoms.read("id")
        out = np.array([False, True, *left_out(self.system, "unlisted")[2:]])
        return out[bonds_apart(ids, atoms.read("special"), ids[pairs[:, 0]], ids[pairs[:, 1]])]

    def _join(self, atoms: Atoms, table: np.ndarray, ids: np.ndarray, rows: np.ndarray, counts: np.ndarray) -> None:
        new = np.column_stack([np.full(len(ids), self.type), ids])
        table = np.concatenate([table, new])
        self.store(atoms, BOND, table)
        np.add.at(counts, rows.ravel(), 1)
        kinds = atoms.edit("type")
        before = kinds.copy()
        for side in (1, 0):
            if self.most[side]:
                full = np.zeros(atoms.n, bool)
                full[rows.ravel()] = True
                full &= (before == self.types[side]) & (counts == self.most[side])
                kinds[full] = self.new[side]
        fresh = {tuple(pair) for pair in ids.tolist()}
        near: dict[int, list[int]] = {}
        for _, a, b in table.tolist():
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
        paths = {ANGLE: angles(near, fresh), DIHEDRAL: dihedrals(near, fresh)}
        for kind, type in self.made.items():
            if type:
                found = np.array([[type, *path] for path in sorted(paths[kind])], np.int64).reshape(-1, 1 + kind.size)
                self.store(atoms, kind, np.concatenate([links(atoms, kind), found]))


def angles(near: dict[int, list[int]], fresh: set[tuple[int, int]]) -> set[tuple[int, ...]]:
    """Paths of two bonds, one of which is new; each once."""
    found: set[tuple[int, ...]] = set()
    for one in fresh:
        for a, b in (one, one[::-1]):
            found |= {(min(a, c), b, max(a, c)) for c in near[b] if c != a}
    return found


def dihedrals(near: dict[int, list[int]], fresh: set[tuple[int, int]]) -> set[tuple[int, ...]]:
    """Paths of three bonds, one of which is new; each once."""
    found = set()
    for a, b in fresh:
        found |= {(c, a, b, d) for c in near[a] if c != b for d in near[b] if d not in (a, c)}
        for e, f in ((a, b), (b, a)):
            found |= {(e, f, c, d) for c in near[f] if c != e for d in near[c] if d not in (e, f)}
    return {min(path, path[::-1]) for path in found}

"""Bonds that break when they are too long."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.fixes.base import fix_style
from everlet.fixes.bonds.bond_changes import BondChanges
from everlet.forces.pair.single import nearest
from everlet.state.atoms import Atoms
from everlet.state.system import System
from everlet.state.topology import ANGLE, BOND, DIHEDRAL, IMPROPER, has, links, rows_of

USAGE = "fix ID group bond/break N BONDTYPE R [prob FRACTION SEED]"
# places of a link that a bond joins
JOINED = {ANGLE: ((0, 1), (1, 2)), DIHEDRAL: ((0, 1), (1, 2), (2, 3)), IMPROPER: ((0, 1), (0, 2), (0, 3))}


@fix_style("bond/break")
class BondBreak(BondChanges):
    """fix ID group bond/break N BONDTYPE R [prob FRACTION SEED]

    Every N steps, bonds of a type between atoms of the group that are longer than R are removed, if each of the two atoms has
    no longer one, and with the probability FRACTION; angles, dihedrals and impropers along them go too.
    """

    name = "bond/break"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 3, 6, USAGE)
        super().__init__(system, id, group, args)
        self.type, self.longest = self.bond_type(args[1]), number(args[2], "a length")
        if self.longest < 0.0:
            raise InputError(f"fix bond/break: the length {args[2]} is negative", f"usage: {USAGE}")
        if args[3:]:
            if args[3] != "prob" or len(args) != 6:
                raise InputError(f"fix bond/break: '{' '.join(args[3:])}' is not known", f"usage: {USAGE}")
            self.probability(args[4:])

    def change(self, atoms: Atoms) -> int:
        table = links(atoms, BOND)
        rows = rows_of(atoms, table[:, 1:])
        inside = ((atoms.read("mask")[rows] & self.bit) != 0).all(axis=1) & (table[:, 0] == self.type)
        pairs = rows[inside]
        x = atoms.read("x")
        r2 = (nearest(self.system.need_box(), x[pairs[:, 0], :3] - x[pairs[:, 1], :3]) ** 2).sum(axis=1)
        long = r2 > self.longest**2
        broken = self.mutual(atoms, pairs[long], r2[long], longest=True)
        if len(broken):
            gone = _keys(atoms.read("id")[broken])
            self.store(atoms, BOND, table[~np.isin(_keys(table[:, 1:]), gone)])
            for kind, places in JOINED.items():
                if has(atoms, kind):
                    others = links(atoms, kind)
                    hit = [np.isin(_keys(others[:, [1 + a, 1 + b]]), gone) for a, b in places]
                    self.store(atoms, kind, others[~np.any(hit, axis=0)])
        return len(broken)


def _keys(ids: np.ndarray) -> np.ndarray:
    """One number for each pair of ids, in any order."""
    ids = np.sort(ids.astype(np.int64), axis=1)
    return ids[:, 0] << 32 | ids[:, 1]

"""Which atoms hang together: by bonds, or by bonds and distances. The name of a set is the smallest id in it."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments, number, yes_no
from everlet.neighbor.exclusions import left_out
from everlet.state.fragments import bonded_rows, joined
from everlet.state.near_pairs import near_pairs
from everlet.state.operation import Gives
from everlet.state.special_lists import bonds_apart
from everlet.state.system import System
from everlet.state.topology import BOND, has, rows_of


class Sets(Compute):
    """Base: all atoms are looked at together, on every rank."""

    gives = Gives(columns=0)
    of_bonds = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if self.of_bonds and not has(system.atoms, BOND):
            raise InputError(f"compute {self.id}: atoms of this style have no bonds", "use atom_style bond, molecular or full")

    def names(self, chosen: np.ndarray) -> np.ndarray:
        """The lowest id of what each atom belongs to, among those that are chosen."""
        raise NotImplementedError

    def special(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows (m, 2) of all atoms that are few bonds apart, and how many."""
        atoms = self.system.whole
        entries = atoms.read("special").astype(np.int64)
        row, place = np.nonzero(entries)
        found = entries[row, place]
        return np.stack([row, rows_of(atoms, found // 4)], axis=1), found % 4

    def near(self, chosen: np.ndarray, reach: float) -> np.ndarray:
        """Rows (m, 2) of chosen atoms up to `reach` apart, without those that neighbour lists would leave out."""
        system, atoms, rows = self.system, self.system.whole, np.flatnonzero(chosen)
        i, j = near_pairs(system.need_box(), atoms.read("x")[rows], 0.0, reach)
        found = np.stack([rows[i], rows[j]], axis=1)
        if system.evaluator is not None:
            found = found[~system.evaluator.neighbor.settings.exclude.name(atoms, found[:, 0], found[:, 1])]
        if not has(atoms, BOND):
            return found
        ids = atoms.read("id")
        levels = bonds_apart(ids, atoms.read("special"), ids[found[:, 0]], ids[found[:, 1]])
        return found[~np.array(left_out(system, "unlisted"))[levels]]

    def peratom(self) -> np.ndarray:
        everyone, mine = self.system.whole, self.system.atoms
        found = self.names((everyone.read("mask") & self.bit) != 0)
        return found[rows_of(everyone, mine.read("id"))].astype(float)


@compute_style("fragment/atom")
class FragmentAtom(Sets):
    """compute ID group fragment/atom [single yes|no]: the smallest id of the atoms that bonds between atoms of the group join;
    0 for atoms without any bond, or with `single yes` their own id. Bonds are those of special lists: what delete_bonds has
    removed without `special` still counts."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if args and (len(args) != 2 or args[0] != "single"):
            raise InputError(f"compute fragment/atom: '{' '.join(args)}' is not known", "usage: compute ID group fragment/atom "
                             "[single yes|no]")
        self.single = bool(args) and yes_no(args[1], "compute fragment/atom single")

    def names(self, chosen: np.ndarray) -> np.ndarray:
        atoms, (pairs, levels) = self.system.whole, self.special()
        pairs, bonded = pairs[levels == 1], np.zeros(atoms.n, bool)
        bonded[pairs.ravel()] = True
        return np.where(bonded | self.single, joined(atoms, pairs[chosen[pairs].all(axis=1)], chosen), 0)


@compute_style("cluster/atom")
class ClusterAtom(Sets):
    """compute ID group cluster/atom R: the same, of atoms that distances up to R alone join; atoms alone have their own id.
    Pairs that special_bonds gives no force are not joined."""

    kind, of_bonds = "cluster/atom", False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, f"compute ID group {self.kind} R")
        self.reach = number(args[0], "a distance")

    def names(self, chosen: np.ndarray) -> np.ndarray:
        return joined(self.system.whole, self.near(chosen, self.reach), chosen)


@compute_style("aggregate/atom")
class AggregateAtom(ClusterAtom):
    """compute ID group aggregate/atom R: the same, of atoms that bonds or distances up to R join. Pairs that special_bonds
    gives no force are not joined by their distance."""

    kind, of_bonds = "aggregate/atom", True

    def names(self, chosen: np.ndarray) -> np.ndarray:
        atoms = self.system.whole
        return joined(atoms, np.concatenate([bonded_rows(atoms, chosen), self.near(chosen, self.reach)]), chosen)

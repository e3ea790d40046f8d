"""What computes of descriptors share: which atoms they look at, and tables of all that a linear fit needs of them.

A table has, from one configuration,

    row 1           sums of components D_k over the atoms of each type; in the last column the energy
    3 N rows        minus the slopes of these sums with x, y, z of each atom, by ID; the forces
    6 rows          sums of r (-dD_k/dr), xx yy zz yz xz xy; the pressure without its kinetic part
    columns         for each type: `constant` (1 for each atom), components (and products); then the last one, what the pair
                    style of the run gives
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from everlet.computes.base import Compute
from everlet.computes.energies.pe import PE
from everlet.computes.energies.pressure import Pressure
from everlet.errors import InputError
from everlet.forces.descriptors.base import Batch
from everlet.forces.descriptors.sums import Sums
from everlet.portable import Kernel
from everlet.portable.dry import dry
from everlet.state.operation import INTENSIVE, TALLY, Gives
from everlet.state.system import System


class Described(Compute):
    """Of atoms of the group; neighbours count in any group. `measured(…)` is called when atoms have changed."""

    slopes = True  # derivatives are needed
    _seen: Any = None  # the atoms that were measured
    _found: Any = None

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        system.need_box()
        self.types = system.ntypes
        self.read(list(args))

    def read(self, words: list[str]) -> None:
        """The arguments."""
        raise NotImplementedError

    @property
    def width(self) -> int:
        """Components of an atom."""
        raise NotImplementedError

    def batches(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> Iterator[Batch]:
        """These rows of all atoms, some at a time."""
        raise NotImplementedError

    def kernels(self) -> list[Kernel]:
        """Those of an atom without neighbours. Beside a device they run on the host."""
        if self.system.space.many_threads:
            return []
        with dry(self.system.space) as notes:
            for _ in self.batches(np.array(self.system.need_box().lo)[None], np.ones(1, np.int32), np.zeros(1, np.int64)):
                pass
        return notes.kernels()

    def asked(self, mask: np.ndarray) -> np.ndarray:
        """Rows that are described, of all ranks together."""
        return np.flatnonzero(mask & self.bit)

    def measured(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> Any:
        """From positions and types of all atoms, and the rows that are this rank's share."""
        raise NotImplementedError

    def present(self) -> Any:
        """What `measured` gives for the present atoms; kept as long as they stay as they are."""
        system = self.system
        whole, box = system.whole, system.need_box()
        now = [whole.read("x"), whole.read("type"), whole.read("mask"), whole.read("id"), box.params()]
        changed = self._seen is None or not all(map(np.array_equal, self._seen, now))
        if system.ranks.any(changed):  # the first rank may have looked alone, for a dump
            self._seen = [values.copy() for values in now]
            x, kind, mask = self._seen[:3]
            mine = np.array_split(self.asked(mask), system.ranks.size)[system.ranks.rank]  # ranks take an equal share each
            self._found = self.measured(x, kind, mine)
        return self._found


class FitTable(Described):
    """rows_by_atom: a row for each atom, by ID, in place of row 1; the energy stays in the first."""

    uses = TALLY
    constant = rows_by_atom = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.energy = PE(system, id, "all", [])
        self.pressure = Pressure(system, id, "all", ["NULL", "virial"])
        self.gives = Gives(array=INTENSIVE, width=self.types * (self.width + self.constant) + 1)

    def array(self) -> np.ndarray:
        """The table, with what the pair style gives at the present step."""
        self.check_tally()
        table = self.present().copy()
        n = self.system.natoms
        table[0, -1], table[-6 - 3 * n : -6, -1] = self.energy.scalar(), self.forces_by_id().ravel()
        xx, yy, zz, xy, xz, yz = self.pressure.vector()
        table[-6:, -1] = xx, yy, zz, yz, xz, xy
        return table

    def forces_by_id(self) -> np.ndarray:
        whole = self.system.whole
        return np.asarray(whole.read("f")[np.argsort(whole.read("id"))])

    def summed(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray, by_atom: bool = False) -> Sums:
        """Sums over atoms of each type, or each atom by itself, in the order of IDs."""
        n, order = len(x), np.argsort(self._seen[3])
        rank = np.empty(n, np.int64)  # rows of atoms in the order of IDs
        rank[order] = np.arange(n)
        label, labels = (rank, n) if by_atom else (kind - 1, self.types)
        sums = Sums(n, labels, self.types, self.width)
        for batch in self.batches(x, kind, rows):
            sums.add(batch, rank, label, kind - 1)
        total = self.system.ranks.sum
        sums.values, sums.slopes, sums.virial = total(sums.values), total(sums.slopes), total(sums.virial)
        return sums

    def measured(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> np.ndarray:
        sums, kind = self.summed(x, kind, rows), kind[np.argsort(self._seen[3])]
        n, types, width = len(kind), self.types, self.width + self.constant
        each, slopes, virial = np.zeros((n, types, width)), np.zeros((n, 3, types, width)), np.zeros((6, types, width))
        each[np.arange(n), kind - 1, : int(self.constant)] = 1.0
        each[np.arange(n), kind - 1, int(self.constant) :] = sums.values
        slopes[..., int(self.constant) :], virial[..., int(self.constant) :] = sums.slopes.transpose(0, 2, 1, 3), sums.virial
        first = each if self.rows_by_atom else each.sum(axis=0, keepdims=True)
        table = [part.reshape(-1, types * width) for part in (first, slopes, virial)]
        return np.pad(np.concatenate(table), ((0, 0), (0, 1)))


class TableByAtom(FitTable):
    """With bikflag 1 there is a row for each atom, by ID, in place of row 1 (the energy stays in the first). With dgradflag 1
    as well: N rows of force and D_k of each atom; for each atom j, atom i and direction a, a row of i, j, a (counted from 0)
    and -dD_k(i)/dr_j; and a last row with the energy."""

    style = ""
    slopes_by_atom = False

    def choose(self, bikflag: bool, dgradflag: bool) -> None:
        """What the arguments say."""
        self.rows_by_atom, self.slopes_by_atom = bikflag, dgradflag
        if dgradflag:
            if not bikflag:
                raise InputError(f"compute {self.style}: dgradflag 1 needs bikflag 1", "give both, or neither")
            self.gives = Gives(array=INTENSIVE, width=self.width + 3)

    def array(self) -> np.ndarray:
        if not self.slopes_by_atom:
            return super().array()
        self.check_tally()
        table = self.present().copy()
        table[: self.system.natoms, :3], table[-1, 0] = self.forces_by_id(), self.energy.scalar()
        return np.asarray(table)

    def measured(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> np.ndarray:
        if not self.slopes_by_atom:
            return super().measured(x, kind, rows)
        sums, n = self.summed(x, kind, rows, by_atom=True), len(x)
        table = np.zeros((n + 3 * n * n + 1, 3 + self.width))
        table[:n, 3:] = sums.values
        j, i, a = np.indices((n, n, 3)).reshape(3, -1)
        table[n:-1, :3], table[n:-1, 3:] = np.stack([i, j, a], axis=1), sums.slopes.reshape(-1, self.width)
        return table

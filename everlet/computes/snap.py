"""Everything that a fit of SNAP coefficients needs from one configuration, as a table.

    compute ID group snap …                     arguments: computes/bispectrum.py

    row 1           sums of B_k over the atoms of each type; in the last column the energy
    3 N rows        minus the slopes of these sums with x, y, z of each atom, by ID; the forces
    6 rows          sums of r (-dB_k/dr), xx yy zz yz xz xy; the pressure without its kinetic part
    columns         for each type: components (and products); then the last one, what the pair style of the run gives

With bikflag 1 there is a row for each atom, by ID, in place of row 1 (the energy stays in the first). With dgradflag 1 as well:
N rows of force and B_k of each atom; for each atom j, atom i and direction a, a row of i, j, a (counted from 0) and
-dB_k(i)/dr_j; and a last row with the energy.
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.bispectrum import Bispectrum
from everlet.computes.pe import PE
from everlet.computes.pressure import Pressure
from everlet.errors import InputError
from everlet.forces.descriptors.sums import Sums
from everlet.state.operation import INTENSIVE, TALLY, Gives
from everlet.state.system import System


@compute_style("snap")
class SnapTable(Bispectrum):
    style = "snap"
    gives = Gives(array=INTENSIVE)
    uses = TALLY

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.energy = PE(system, id, "all", [])
        self.pressure = Pressure(system, id, "all", ["NULL", "virial"])
        if self.by_atom["dgradflag"]:
            if not self.by_atom["bikflag"]:
                raise InputError("compute snap: dgradflag 1 needs bikflag 1", "give both, or neither")
            if self.quadratic:
                raise InputError("compute snap: dgradflag 1 with quadraticflag 1 is not available", "leave one of them out")
        self.gives = Gives(array=INTENSIVE, width=self.width + 3 if self.by_atom["dgradflag"] else self.types * self.width + 1)

    def array(self) -> np.ndarray:
        """The table, with what the pair style gives at the present step."""
        self.check_tally()
        table = self.present().copy()
        whole, n = self.system.whole, self.system.natoms
        force = whole.read("f")[np.argsort(whole.read("id"))]
        energy = self.energy.scalar()
        if self.by_atom["dgradflag"]:
            table[:n, :3], table[-1, 0] = force, energy
            return table
        table[0, -1], table[-6 - 3 * n : -6, -1] = energy, force.ravel()
        xx, yy, zz, xy, xz, yz = self.pressure.vector()
        table[-6:, -1] = xx, yy, zz, yz, xz, xy
        return table

    def measured(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> np.ndarray:
        n, order = len(x), np.argsort(self._seen[3])
        rank = np.empty(n, np.int64)  # rows of atoms in the order of IDs
        rank[order] = np.arange(n)
        label, labels = (rank, n) if self.by_atom["dgradflag"] else (kind - 1, self.types)
        sums = Sums(n, labels, self.types, self.width)
        for batch in self.batches(x, kind, rows):
            sums.add(batch, rank, label, kind - 1)
        values, slopes, virial = map(self.system.ranks.sum, (sums.values, sums.slopes, sums.virial))
        return self._gradients(values, slopes) if self.by_atom["dgradflag"] else self._sums(values, slopes, virial, kind[order])

    def _sums(self, values: np.ndarray, slopes: np.ndarray, virial: np.ndarray, kind: np.ndarray) -> np.ndarray:
        n, types, width = len(values), self.types, self.width
        each = np.zeros((n, types, width))
        each[np.arange(n), kind - 1] = values
        first = each if self.by_atom["bikflag"] else each.sum(axis=0, keepdims=True)
        by_direction = slopes.transpose(0, 2, 1, 3)
        rows = [part.reshape(-1, types * width) for part in (first, by_direction, virial)]
        return np.pad(np.concatenate(rows), ((0, 0), (0, 1)))

    def _gradients(self, values: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        n = len(values)
        table = np.zeros((n + 3 * n * n + 1, 3 + self.width))
        table[:n, 3:] = values
        j, i, a = np.indices((n, n, 3)).reshape(3, -1)
        table[n:-1, :3], table[n:-1, 3:] = np.stack([i, j, a], axis=1), slopes.reshape(-1, self.width)
        return table

"""Everything that a fit of SNAP coefficients needs from one configuration, as a table.

    compute ID group snap …                     arguments: computes/bispectrum.py; rows and columns: computes/described.py

With bikflag 1 there is a row for each atom, by ID, in place of row 1 (the energy stays in the first). With dgradflag 1 as well:
N rows of force and B_k of each atom; for each atom j, atom i and direction a, a row of i, j, a (counted from 0) and
-dB_k(i)/dr_j; and a last row with the energy.
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.bispectrum import Bispectrum
from everlet.computes.described import FitTable
from everlet.errors import InputError
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@compute_style("snap")
class SnapTable(Bispectrum, FitTable):
    style = "snap"
    gives = Gives(array=INTENSIVE)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.rows_by_atom = self.by_atom["bikflag"]
        if self.by_atom["dgradflag"]:
            if not self.rows_by_atom:
                raise InputError("compute snap: dgradflag 1 needs bikflag 1", "give both, or neither")
            if self.quadratic:
                raise InputError("compute snap: dgradflag 1 with quadraticflag 1 is not available", "leave one of them out")
            self.gives = Gives(array=INTENSIVE, width=self.width + 3)

    def array(self) -> np.ndarray:
        if not self.by_atom["dgradflag"]:
            return super().array()
        self.check_tally()
        table = self.present().copy()
        table[: self.system.natoms, :3], table[-1, 0] = self.forces_by_id(), self.energy.scalar()
        return np.asarray(table)

    def measured(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> np.ndarray:
        if not self.by_atom["dgradflag"]:
            return super().measured(x, kind, rows)
        sums, n = self.summed(x, kind, rows, by_atom=True), len(x)
        table = np.zeros((n + 3 * n * n + 1, 3 + self.width))
        table[:n, 3:] = sums.values
        j, i, a = np.indices((n, n, 3)).reshape(3, -1)
        table[n:-1, :3], table[n:-1, 3:] = np.stack([i, j, a], axis=1), sums.slopes.reshape(-1, self.width)
        return table

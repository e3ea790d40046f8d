"""Owned atoms in the order of their bins, so that neighbours are close in memory."""

from __future__ import annotations

import numpy as np

from everlet.neighbor import kernels
from everlet.neighbor.cells import Bins
from everlet.portable import parallel_for
from everlet.state.system import System

SORTERS = {np.dtype(np.float64): kernels.sort_rows, np.dtype(np.int32): kernels.sort_rows_i32,
           np.dtype(np.int64): kernels.sort_rows_i64}


def sort_atoms(system: System, bins: Bins) -> None:
    """Sort all fields by the bins of a grid that has been set."""
    atoms, space = system.atoms, system.space
    bins.sort(atoms.view("x"), atoms.n, atoms.n)
    for name in atoms.fields:
        old = atoms.view(name, modify=True)
        rows = space.zeros(old.data.size, old.dtype)  # no View: graphs stay valid, as arrays stay where they are
        rows[:] = old.data
        body, width, source, target = SORTERS.get(old.dtype), old.width, old.data, rows
        if body is None:
            body, width = kernels.sort_rows_i32, old.width * old.dtype.itemsize // 4
            source, target = old.data.view(np.int32), rows.view(np.int32)
        parallel_for(space, atoms.n, body, bins.order, source, target, width)
        old.data[:] = rows

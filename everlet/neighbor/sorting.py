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
    atoms = system.atoms
    bins.sort(atoms.view("x"), atoms.n, atoms.n)
    _permute(system, bins)


def order_atoms(system: System, bins: Bins, radius: float) -> None:
    """Sort all fields as LAMMPS does on one rank."""
    order = _order(system, radius)
    bins.reserve(len(order))
    bins.order.array[: len(order)] = order
    system.stored = None
    _permute(system, bins)


def note_order(system: System, radius: float) -> None:
    """Keep the order that LAMMPS would have sorted atoms to, and leave them where they are."""
    system.stored = system.atoms.read("id")[_order(system, radius)]


def _order(system: System, radius: float) -> np.ndarray:
    """Rows by bins of half of the list radius, x first, z last; atoms of one bin stay in the order that they had."""
    atoms, box = system.atoms, system.need_box()
    before = np.arange(atoms.n)
    if system.stored is not None and len(system.stored):
        sorter = np.argsort(system.stored, kind="stable")
        near = sorter[np.searchsorted(system.stored, atoms.read("id"), sorter=sorter).clip(max=len(sorter) - 1)]
        known = system.stored[near] == atoms.read("id")
        before = np.argsort(np.where(known, near, len(sorter) + before), kind="stable")
    edge = system.sort_bin or 0.5 * radius
    if edge <= 0.0:
        return before
    lo, hi = box.bounds()
    shape = np.maximum(np.floor((hi - lo) * (1.0 / edge)), 1.0)
    if box.dimension == 2:
        shape[2] = 1.0
    place = np.clip(np.floor((atoms.read("x")[before] - lo) * (shape / (hi - lo))), 0.0, shape - 1.0)
    return before[np.argsort((place[:, 2] * shape[1] + place[:, 1]) * shape[0] + place[:, 0], kind="stable")]


def _permute(system: System, bins: Bins) -> None:
    """Fields of atoms in the order of the bins."""
    atoms, space = system.atoms, system.space
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

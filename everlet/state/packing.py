"""Atoms as rows of bytes, for messages between ranks, and all atoms of a job gathered in one place."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.state.atoms import Atoms


def packed(atoms: Atoms, rows: np.ndarray, names: list[str] | None = None) -> np.ndarray:
    """Some owned atoms as bytes, one row each: the fields `names` side by side, or all fields."""
    columns = []
    for name in names if names is not None else atoms.fields:
        field = atoms.fields[name].view
        values = np.ascontiguousarray(field.read()[rows])
        columns.append(values.view(np.uint8).reshape(len(rows), values.itemsize * field.device.width))
    return np.concatenate(columns, axis=1)


def unpacked(atoms: Atoms, rows: np.ndarray, names: list[str] | None = None, ghosts: bool = False) -> None:
    """Put rows of bytes behind the owned atoms: as new owned ones, or into ghost rows, for which there must be room."""
    count = len(rows)
    if not ghosts:
        atoms.nghost = 0
        atoms.reserve(atoms.n + count, atoms.n // 20)
    place = 0
    for name in names if names is not None else atoms.fields:
        array = atoms.fields[name].view.edit()
        width = array.itemsize * (array.shape[1] if array.ndim == 2 else 1)
        values = np.ascontiguousarray(rows[:, place : place + width]).view(array.dtype)
        array[atoms.n : atoms.n + count] = values if array.ndim == 2 else values[:, 0]
        place += width
    if not ghosts:
        atoms.n += count


def gathered(atoms: Atoms, world: Any, everywhere: bool = True) -> Atoms:
    """All atoms of a job, those of the first rank first: on all ranks, or on the first (and none on the others)."""
    whole = _empty(atoms)
    unpacked(whole, world.collect(packed(atoms, np.arange(atoms.n)), everywhere))
    return whole


def taken(atoms: Atoms, rows: np.ndarray) -> Atoms:
    """Some of the owned atoms, in memory of their own."""
    part = _empty(atoms)
    unpacked(part, packed(atoms, rows))
    return part


def _empty(atoms: Atoms) -> Atoms:
    made = Atoms(atoms.space)
    for name, field in atoms.fields.items():
        if name not in made.fields:
            made.like(name, field)
    return made

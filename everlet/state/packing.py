"""Atoms as rows of bytes, for messages between ranks, and all atoms of a job gathered in one place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from everlet.state.atoms import Atoms


def _row(atoms: Atoms, names: list[str]) -> np.dtype[Any]:
    """Fields of one atom side by side. NumPy copies numbers from and to such rows quicker than their bytes."""
    views = [atoms.fields[name].view.device for name in names]
    return np.dtype([(name, view.dtype, (view.width,)) for name, view in zip(names, views, strict=True)])


def packed(atoms: Atoms, rows: np.ndarray, names: list[str] | None = None) -> np.ndarray:
    """Some owned atoms as bytes, one row each: the fields `names` side by side, or all fields."""
    names = list(atoms.fields) if names is None else names
    found = np.empty(len(rows), _row(atoms, names))
    for name in names:
        found[name] = atoms.fields[name].view.read()[rows].reshape(len(rows), -1) if len(rows) else 0
    return found.view(np.uint8).reshape(len(rows), found.itemsize)


def unpacked(atoms: Atoms, rows: np.ndarray, names: list[str] | None = None, ghosts: bool = False) -> None:
    """Put rows of bytes behind the owned atoms: as new owned ones, or into ghost rows, for which there must be room."""
    count, names = len(rows), list(atoms.fields) if names is None else names
    if not ghosts:
        atoms.nghost = 0
        atoms.reserve(atoms.n + count, atoms.n // 20)
    given = np.ascontiguousarray(rows).reshape(-1).view(_row(atoms, names))
    for name in names:
        array = atoms.fields[name].view.edit()
        array[atoms.n : atoms.n + count] = given[name] if array.ndim == 2 else given[name][:, 0]
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


def follow(atoms: Atoms, source: Atoms, names: Iterable[str]) -> None:
    """Be copies of the owned atoms of `source`, row by row and in the memory they are in, with these fields up to date."""
    for name in [name for name in atoms.fields if name not in source.fields]:
        atoms.remove_field(name)
    atoms.appended = source.appended
    if atoms.n != source.n or atoms.capacity < source.n:
        atoms.n, atoms.nghost = 0, 0
        atoms.reserve(source.n, source.n // 10 if atoms.capacity else 0)
        atoms.n = source.n
    for name in names:
        field = source.fields[name]
        if name in atoms.fields and atoms.view(name).width != field.view.device.width:
            atoms.remove_field(name)
        if name not in atoms.fields:
            atoms.like(name, field)
        to, size = atoms.view(name, modify=True), source.n * field.view.device.width
        to.data[:size] = source.view(name).data[:size]


def _empty(atoms: Atoms) -> Atoms:
    made = Atoms(atoms.space)
    for name, field in atoms.fields.items():
        if name not in made.fields:
            made.like(name, field)
    return made

"""Per-atom data: a struct of dual views of one capacity.

Rows [0:n] are owned atoms, rows [n:n+nghost] are ghosts (periodic images or other ranks' atoms). Ghost rows exist only
between a neighbour build and the next change of the atom count. Host code uses `read` and `edit`; kernels use `view`.

    field   width  dtype    ghost    meaning
    x       4      float64  step     position; the fourth value is padding, so that a row is one 32-byte load
    v       3      float64  velocity velocity
    f       3      float64  home     force (ghost rows are used when newton is on)
    type    1      int32    borders  1 … ntypes
    id      1      int64    borders  unique, 1 … N when consecutive
    image   3      int32    never    box crossings
    mask    1      int32    borders  group bits (bit 0 = all)

Others are added by atom styles, fixes and computes (`add_field`). All go where the atom goes: they are sorted, sent to other
ranks and written to restart files with it. Ghosts have a value never, since they were made (borders), anew at each step, or
anew at each step where forces depend on velocities (velocity). What is left on ghosts is sent home like forces (home).

Numbers of a field whose name ends in PARTNER are ids of other atoms, 0: none. They follow where ids change.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable.spaces import Space
from everlet.portable.views import DualView, View

GROWTH = 0.2  # spare capacity, as a part of the rows in use, when atoms are added to others
GHOSTS = ("never", "borders", "step", "velocity", "home")
PARTNER = "_partner"
PADDING = 32  # rows past the capacity: lanes may read them, and lists fill up their rows with them


@dataclass
class Field:
    """One per-atom quantity. `shown` is how many of the stored values per row a user sees (3 of 4 for x)."""

    view: DualView
    ghost: str  # one of GHOSTS
    fill: float
    shown: int


class Atoms:
    """All per-atom fields of one rank."""

    def __init__(self, space: Space):
        self.space = space
        self.n = 0
        self.nghost = 0
        self.ghost_sets = 0  # how often ghosts were made anew
        self.capacity = 0
        self.fields: dict[str, Field] = {}
        self.appended = 0  # times that atoms were added, the same on all ranks: then there are new ids
        self._uncharged: View | None = None
        self.touched: set[str] = set()  # fields whose views were asked for to be written; run/graphs.py looks at it
        self.add_field("x", np.float64, 4, ghost="step", shown=3)
        self.add_field("v", np.float64, 3, ghost="velocity")
        self.add_field("f", np.float64, 3, ghost="home")
        self.add_field("type", np.int32, ghost="borders")
        self.add_field("id", np.int64, ghost="borders")
        self.add_field("image", np.int32, 3)
        self.add_field("mask", np.int32, ghost="borders", fill=1)

    def add_field(self, name: str, dtype: Any, width: int = 1, ghost: str = "never", fill: float = 0, shown: int = 0
                  ) -> None:
        """Add a per-atom quantity that is sorted, migrated and restarted with the atoms. Values have 4 bytes, or a multiple."""
        if name in self.fields:
            raise InputError(f"per-atom field '{name}' exists already", "choose another name")
        if ghost not in GHOSTS:
            raise InputError(f"per-atom field '{name}': unknown policy '{ghost}' for ghosts", f"use {', '.join(GHOSTS)}")
        if np.dtype(dtype).itemsize % 4:
            raise InputError(f"per-atom field '{name}': values of {np.dtype(dtype)}", "use a type of 4 or 8 bytes")
        self.fields[name] = Field(self._allocate(dtype, width), ghost, fill, shown or width)
        self.fields[name].view.edit()[:] = fill

    def remove_field(self, name: str) -> None:
        """Forget a field that was added."""
        del self.fields[name]

    def ghosts_have(self, *policies: str) -> list[str]:
        """Fields besides positions that ghosts have by these policies."""
        return [name for name, field in self.fields.items() if field.ghost in policies and name != "x"]

    def partners(self) -> list[str]:
        """Fields that have ids of other atoms."""
        return [name for name in self.fields if name.endswith(PARTNER)]

    def like(self, name: str, field: Field) -> None:
        """Add a field of the same kind as one of other atoms."""
        view = field.view.device
        self.add_field(name, view.dtype, view.width, field.ghost, field.fill, field.shown)

    def _allocate(self, dtype: Any, width: int) -> DualView:
        rows = self.capacity + PADDING
        return DualView(rows if width == 1 else (rows, width), dtype, self.space)

    @property
    def total(self) -> int:
        """Owned and ghost atoms."""
        return self.n + self.nghost

    def _rows(self, name: str, array: np.ndarray) -> np.ndarray:
        return array[: self.n] if array.ndim == 1 else array[: self.n, : self.fields[name].shown]

    def _field(self, name: str) -> Field:
        if name not in self.fields:
            raise InputError(f"atoms have no field '{name}'", f"fields: {', '.join(self.fields)}")
        return self.fields[name]

    def read(self, name: str) -> np.ndarray:
        """Owned rows on the host, up to date: (n,) or (n, width). Do not write to it."""
        self.space.ask(f"'{name}' of atoms")
        return self._rows(name, self._field(name).view.read())

    def edit(self, name: str) -> np.ndarray:
        """Owned rows on the host, up to date and marked modified; write in place."""
        self.space.ask(f"'{name}' of atoms")
        return self._rows(name, self._field(name).view.edit())

    def view(self, name: str, modify: bool = False) -> View:
        """The space's view of all rows (owned, ghost, padding), up to date; for kernels."""
        if modify:
            self.touched.add(name)
        return self._field(name).view.on_device(modify)

    def charges(self) -> View:
        """Charges for kernels of pair styles and solvers; of atoms that have none, zeros."""
        if "q" in self.fields:
            return self.view("q")
        rows = self.capacity + PADDING
        if self._uncharged is None or self._uncharged.shape[0] < rows:
            self._uncharged = View(rows, np.float64, self.space)
        return self._uncharged

    @contextmanager
    def instead(self, name: str, other: View) -> Iterator[None]:
        """Inside, kernels that ask for a field are given another array of the same shape."""
        field = self._field(name).view
        own, field.device = field.on_device(True), other
        try:
            yield
        finally:
            field.device = own

    def words(self, name: str) -> tuple[int, Any]:
        """A field for kernels that copy rows of any kind: words of 4 bytes of a row, and all of them as one array."""
        view = self.view(name, modify=True)
        return view.width * view.dtype.itemsize // 4, view.data.view(np.int32)

    def bring(self) -> None:
        """What the host has written is in memory of the space, too: for kernels that do not ask for views again."""
        for field in self.fields.values():
            field.view.sync_device()

    def mark(self, names: set[str]) -> None:
        """Kernels have written to these fields without asking for their views again."""
        for name in names:
            self._field(name).view.device_modified = True

    def reserve(self, rows: int, spare: int = 0) -> None:
        """Make room for `rows` owned and ghost atoms, and some to spare if there is too little; contents are kept."""
        if rows <= self.capacity:
            return
        self.capacity = max(rows + spare, 16)
        for field in self.fields.values():
            old = field.view
            field.view = self._allocate(old.device.dtype, old.device.width)
            keep = min(old.shape[0], field.view.shape[0])
            width = old.device.width
            if old.host_modified:
                old.sync_device()
            field.view.device.data[: keep * width] = old.device.data[: keep * width]
            field.view.device.data[keep * width :] = field.fill
            field.view.device_modified = True

    def append(self, **columns: Any) -> None:
        """Add owned atoms from host arrays, one per field; fields not given get their fill value. Drops ghosts."""
        count = len(columns["x"])
        self.appended += 1
        self.nghost = 0
        self.reserve(self.n + count, int(GROWTH * self.n))  # most often all atoms come at once
        new = slice(self.n, self.n + count)
        for name, field in self.fields.items():
            array = field.view.edit()
            if array.ndim == 1:
                array[new] = columns.get(name, field.fill)
            else:
                array[new, : field.shown] = columns.get(name, field.fill)
        self.n += count

    def select(self, rows: np.ndarray) -> None:
        """Keep the owned atoms `rows` (host indices), in that order. Drops ghosts."""
        self.nghost = 0
        rows = np.asarray(rows)
        for field in self.fields.values():
            array = field.view.edit()
            array[: len(rows)] = array[rows]
        self.n = len(rows)

    def drop(self, rows: np.ndarray) -> None:
        """Remove the owned atoms `rows`; the last ones that stay take their places. Drops ghosts."""
        self.nghost = 0
        left = self.n - len(rows)
        gone = np.zeros(self.n, bool)
        gone[rows] = True
        holes, movers = np.flatnonzero(gone[:left]), left + np.flatnonzero(~gone[left:])
        if len(holes):
            for field in self.fields.values():
                array = field.view.edit()
                array[holes] = array[movers]
        self.n = left

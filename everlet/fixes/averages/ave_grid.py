"""Averages over the cells of a grid, and in time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from everlet.computes.grids.property_grid import cells_of
from everlet.computes.words.grids import GridWord, grid_words
from everlet.computes.words.peratom import Reference, spelled_out
from everlet.errors import InputError, arguments
from everlet.fixes.averages.atom_sums import AtomSums
from everlet.fixes.averages.base import OUTPUT, AverageWords, Schedule
from everlet.fixes.base import fix_style
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "fix ID group ave/grid NEVERY NREPEAT NFREQ NX NY NZ VALUE … [keyword …]"
DENSITIES = ("density/number", "density/mass")


@fix_style("ave/grid")
class AveGrid(AtomSums):
    """fix ID group ave/grid NEVERY NREPEAT NFREQ NX NY NZ VALUE … [discard yes|no] [norm all|sample|none]
    [ave one|running|window M] [bias TEMP-ID] [adof N] [cdof N]

    VALUE: of atoms as in fix ave/chunk, or of the cells of other grids: c_ID:grid:NAME, c_ID:grid:NAME[i], f_ID:grid:… norm
    all: sums over atoms and samples by the number of atoms; sample: the mean of the means of samples; none: of their sums,
    but for temp, as with all. discard no: atoms beyond a face that is not periodic count in the cell next to it.
    f_ID:grid:data, of several values f_ID:grid:data[i]; of atoms f_ID:grid:count too, the mean number of atoms.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 7, None, USAGE)
        self.schedule = Schedule.read(args[:3], self.user)
        self.grid_cells = cells_of(system, args[3:6], self.user)
        self.discard = True
        self.words = AverageWords("ave/grid", id, USAGE, self.own | {"discard": self._discard}, without=("start", *OUTPUT))
        named = self.words.read(args[6:])
        self.on_cells: list[GridWord] = [found for word in named for found in grid_words(system, word)]
        self.names = [] if self.on_cells else spelled_out(system, named)
        self.values = [self._value(word) for word in self.names]
        self._check(named)
        self.count = len(self.on_cells) or len(self.names)
        columns = self.count if self.count > 1 else 0
        self.gives = Gives(grid=(("data", columns),) + (() if self.on_cells else (("count", 0),)))
        self.every = self.schedule.interval
        self.anew()
        self.number = int(np.prod(self.grid_cells))
        self.sums = np.zeros((self.number, 1 + self.count))  # atoms, values
        self.windows: list[np.ndarray] = []  # means of windows; of ave running their sum
        self.many = 0

    def _check(self, named: list[str]) -> None:
        if not named:
            raise InputError(f"{self.user}: ave/grid has no value", f"usage: {USAGE}")
        if self.on_cells and any(not grid_words(self.system, word) for word in named):
            raise InputError(f"{self.user}: some values are of atoms, some of cells", "use two fixes")
        for found in self.on_cells:
            if found.cells(self.system) != self.grid_cells:
                raise InputError(f"{self.user}: {found.word} is of a grid of {found.cells(self.system)} cells, not "
                                 f"{self.grid_cells}", "give the same numbers of cells")

    def _discard(self, given: str) -> None:
        self.discard = self.words.choice("discard", given, ("yes", "no")) == "yes"

    # ---- samples
    def asked(self, step: int) -> Iterable[str]:
        named: list[GridWord | Reference] = [*self.on_cells, *(value for value in self.values if isinstance(value, Reference))]
        return (need for value in named for need in value.needs(self.system, step))

    def _places(self) -> np.ndarray:
        """The cell of each atom of this rank, -1: none."""
        box, cells = self.system.need_box(), np.array(self.grid_cells)
        index = np.floor(box.to_fraction(self.system.atoms.read("x")[:, :3]) * cells).astype(np.int64)
        open_axes = ~np.array(box.periodic)
        beyond = ((index < 0) | (index >= cells)) & open_axes
        index = np.where(open_axes, np.clip(index, 0, cells - 1), index % cells)
        found = index[:, 0] + cells[0] * (index[:, 1] + cells[1] * index[:, 2])
        return np.where(beyond.any(axis=1) & self.discard, -1, found)

    def sample(self) -> None:
        if self.on_cells:
            now = np.stack([np.ones(self.number), *(found.values(self.system) for found in self.on_cells)], axis=1)
        else:
            places = self._places()
            rows = np.flatnonzero((places >= 0) & ((self.system.atoms.read("mask") & self.bit) != 0))
            columns = [np.ones(len(rows)), *(self._of_atoms(value)[rows] for value in self.values)]
            sums = [np.bincount(places[rows], column, self.number) for column in columns]
            now = self.system.ranks.sum(np.stack(sums, axis=1))
            if self.norm == "sample":
                now[:, 1:] = self._densities(self._per_atom(now[:, 1:], now[:, 0], 1), self._volume())
        self.sums = self.sums + now if self.taken else now

    def _volume(self) -> float:
        return self.system.need_box().volume / self.number

    def complete(self, step: int) -> None:
        samples, count = self.schedule.repeat, self.sums[:, 0]
        mean = self.sums / samples
        if not self.on_cells and self.norm != "sample":
            whole = self._per_atom(self.sums[:, 1:], count, samples)
            each = [self.norm == "all" and name not in DENSITIES or name == "temp" for name in self.names]
            mean[:, 1:] = self._densities(np.where(each, whole, mean[:, 1:]), self._volume())
        if self.words.ave == "running" and self.windows:
            self.windows = [self.windows[0] + mean]
        else:
            self.windows = [*(self.windows if self.words.ave == "window" else []), mean][-max(self.words.window, 1):]
        self.many = self.many + 1 if self.words.ave == "running" else len(self.windows)

    # ---- values
    def on_grid(self, data: str) -> np.ndarray:
        found = sum(self.windows, np.zeros_like(self.sums)) / max(self.many, 1)
        if data == "count":
            return found[:, 0]
        return found[:, 1:] if self.count > 1 else found[:, 1]

    def state(self) -> dict[str, Any]:
        return {"next": self.next, "taken": self.taken, "sums": self.sums.tolist(), "many": self.many,
                "windows": [part.tolist() for part in self.windows]}

    def restore(self, state: dict[str, Any]) -> None:
        self.next, self.taken, self.many = state["next"], state["taken"], state["many"]
        self.sums, self.windows = np.array(state["sums"]), [np.array(part) for part in state["windows"]]

"""Words that name data on the cells of a grid: c_ID:grid:NAME c_ID:grid:NAME[i] c_ID:grid:NAME[*], and the same of fixes."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from everlet.computes.words.references import needs, operation
from everlet.errors import InputError, one_of
from everlet.state.system import System

_WORD = re.compile(r"^([cf])_(\w+):(\w+):(\w+)(?:\[(\d*\*?\d*)\])?$")
Cells = tuple[int, int, int]


@dataclass(frozen=True)
class GridWord:
    """A column of data on a grid; place 0: it has one."""

    letter: str
    name: str
    data: str
    place: int

    @property
    def word(self) -> str:
        return f"{self.letter}_{self.name}:grid:{self.data}" + (f"[{self.place}]" if self.place else "")

    def cells(self, system: System) -> Cells:
        cells: Cells = operation(system, self.letter, self.name).grid_cells
        return cells

    def values(self, system: System) -> np.ndarray:
        """Of all cells, x fastest."""
        found = np.asarray(operation(system, self.letter, self.name).on_grid(self.data))
        return found[:, self.place - 1] if self.place else found

    def needs(self, system: System, step: int) -> tuple[str, ...]:
        return needs(system, f"{self.letter}_{self.name}", step)


def grid_words(system: System, word: str) -> list[GridWord]:
    """What a word names, of several columns one by one; nothing if it is no such word."""
    match = _WORD.match(word)
    if not match:
        return []
    letter, name, grid, data, index = match.groups()
    item = operation(system, letter, name)
    known = dict(item.gives.grid)
    if not known:
        raise InputError(f"'{word}': {letter}_{name} has no grid", item.gives.hint(f"{letter}_{name}"))
    one_of(f"grid of {letter}_{name}", grid, ("grid",))
    columns = known[one_of(f"data of {letter}_{name}:grid", data, known)]
    if bool(columns) != (index is not None):
        raise InputError(f"'{word}': its cells have {columns or 'one'} value{'s' if columns > 1 else ''}",
                         f"give an index from 1 to {columns}" if columns else "leave out the index")
    if not columns:
        return [GridWord(letter, name, data, 0)]
    first, star, last = (index or "").partition("*")
    low = int(first or 1)
    high = int(last or columns) if star else low
    if not 1 <= low <= high <= columns:
        raise InputError(f"'{word}' is out of range: its cells have {columns} values", "use indices that exist")
    return [GridWord(letter, name, data, place) for place in range(low, high + 1)]

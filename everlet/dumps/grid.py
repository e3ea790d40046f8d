"""dump ID GROUP grid N FILE COLUMN ...: a table of the cells of a grid per frame.

    ITEM: TIMESTEP / BOX BOUNDS / DIMENSION / GRID SIZE nx ny nz / GRID CELLS column names, then one line per cell, x fastest

COLUMN: c_ID:grid:NAME, c_ID:grid:NAME[i], …[*] and the same of fixes (f_), all of grids of the same size. Own options of
dump_modify: format, colname, header.
"""

from __future__ import annotations

from collections.abc import Callable

from everlet.computes.words.columns import Column
from everlet.computes.words.grids import GridWord, grid_words
from everlet.dumps.base import Dump, dump_style
from everlet.dumps.custom import Custom
from everlet.errors import InputError
from everlet.io.formats import lines
from everlet.state.system import System


@dump_style("grid")
class Grid(Custom):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        Dump.__init__(self, system, id, group, every, path, args)
        self.one_table("grid", args, "f_1:grid:data[1]")
        self.named: list[GridWord] = []
        for word in args:
            found = grid_words(system, word)
            if not found:
                raise InputError(f"dump {id}: '{word}' is no data on a grid", "use c_ID:grid:data or f_ID:grid:data[i]")
            self.named += found
        self.columns = [Column(found.word, "float", found.values) for found in self.named]
        self._cells()

    def _cells(self) -> tuple[int, int, int]:
        sizes = {found.cells(self.system) for found in self.named}
        if len(sizes) > 1:
            raise InputError(f"dump {self.id}: grids of {' and '.join(map(str, sorted(sizes)))} cells", "use grids of one size")
        return sizes.pop()

    def _sort(self, words: list[str]) -> None:
        raise InputError(f"dump {self.id}: cells are always in order", "leave out dump_modify sort")

    def taken(self) -> Callable[[], str]:
        shown = self.shown()
        values = [column.values(self.system) for column in shown]
        cells = " ".join(map(str, self._cells()))
        first, _, rest = self._head(0).partition("ITEM: NUMBER OF ATOMS\n0\n")
        bounds, _, names = rest.partition("ITEM: ATOMS")
        size = f"ITEM: DIMENSION\n{self.system.dimension}\nITEM: GRID SIZE nx ny nz\n{cells}\n"
        head = f"{first}{bounds}{size}ITEM: GRID CELLS{names}"
        forms = self._forms(shown)
        return lambda: (head if self.header else "") + lines(forms, values)

"""Where the cells of a grid are."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments, integer, one_of
from everlet.state.operation import Gives
from everlet.state.system import System

WORDS = ("id", "ix", "iy", "iz", *(f"{axis}{kind}" for kind in ("", "s", "c", "sc") for axis in "xyz"))
USAGE = f"compute ID group property/grid NX NY NZ {'|'.join(WORDS)} …"


def cells_of(system: System, words: list[str], user: str) -> tuple[int, int, int]:
    """NX NY NZ."""
    x, y, z = (integer(word, "a number of cells") for word in words)
    if min(x, y, z) < 1 or system.dimension == 2 and z != 1:
        raise InputError(f"{user}: a grid of {x} {y} {z} cells", "give 1 or more along each axis, in 2d 1 along z")
    return x, y, z


@compute_style("property/grid")
class PropertyGrid(Compute):
    """compute ID group property/grid NX NY NZ WORD …: id; ix iy iz from 1; x y z of the lowest corner, xs ys zs of it in
    parts of the box; xc yc zc and xsc ysc zsc of the middle. c_ID:grid:data, of several words c_ID:grid:data[i]."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.grid_cells = cells_of(system, args[:3], f"compute {id} property/grid")
        self.words = [one_of("word of compute property/grid", word, WORDS) for word in args[3:]]
        if system.dimension == 2 and any("z" in word for word in self.words):
            raise InputError(f"compute {id} property/grid: there is no z in 2d", "leave it out")
        self.gives = Gives(grid=(("data", len(self.words) if len(self.words) > 1 else 0),))

    def on_grid(self, data: str) -> np.ndarray:
        number = np.arange(int(np.prod(self.grid_cells)))
        nx, ny, _ = self.grid_cells
        index = np.stack([number % nx, number // nx % ny, number // (nx * ny)], axis=1)
        columns = [self._column(word, number, index) for word in self.words]
        return np.stack(columns, axis=1) if len(columns) > 1 else columns[0]

    def _column(self, word: str, number: np.ndarray, index: np.ndarray) -> np.ndarray:
        if word == "id":
            return number + 1.0
        if word[0] == "i":
            return index[:, "xyz".index(word[1])] + 1.0
        part = (index + (0.5 if word.endswith("c") else 0.0)) / self.grid_cells
        if "s" not in word:
            part = self.system.need_box().from_fraction(part)
        return part[:, "xyz".index(word[0])]

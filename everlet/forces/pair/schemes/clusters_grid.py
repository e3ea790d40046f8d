"""What the cluster schemes of CPUs and GPUs share: their shapes, and the columns that atoms are sorted into."""

from __future__ import annotations

import re

import numpy as np

from everlet.errors import InputError
from everlet.neighbor.cells import Grid
from everlet.portable import Space
from everlet.state.system import System


def parse_shape(shape: str, i_sizes: tuple[int, ...], j_sizes: tuple[int, ...], space: Space) -> tuple[int, int]:
    """The numbers of a shape IxJ, each one of those that the space can do."""
    found = re.fullmatch(r"(\d+)x(\d+)", shape)
    i, j = (int(found[1]), int(found[2])) if found else (0, 0)
    if i not in i_sizes or j not in j_sizes:
        raise InputError(f"unknown cluster shape '{shape}' for {space}",
                         f"use IxJ with I of {', '.join(map(str, i_sizes))} and J of {', '.join(map(str, j_sizes))}")
    return i, j


def column_grid(system: System, reach: float, size: int) -> Grid:
    """Columns whose cubes hold `size` atoms, cut along z into bins of about one atom; ghosts are up to `reach` away."""
    atoms, box = system.atoms, system.need_box()
    lo, hi = system.region(reach)
    flat = box.dimension == 2
    if flat:
        lo[2], hi[2] = box.lo[2], box.hi[2]
    extent = np.maximum(hi - lo, 1e-300)
    edge = (size / max(atoms.n, 1) * system.own_volume) ** (1 / 2 if flat else 1 / 3)
    shape = np.maximum(np.floor(extent / [edge, edge, edge / size]), 1.0)
    shape[2] = 1.0 if flat else shape[2]
    most = 4.0 * atoms.total + 1000.0
    while np.prod(shape) > most:  # empty space needs no bins
        shape = np.maximum(np.floor(shape * 0.8), 1.0)
    return Grid(lo, extent / shape, shape.astype(np.int64))

"""The arrays of a block of LU, and where each point is in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.lu.problem import DISSIPATION, FOURTH, OMEGA, Problem, exact, fourth_difference, start
from everlet.portable import Space, View

HALO = 2  # points around a block: the reach of the fourth difference
LINE, WAY = 8, 2048  # numbers of a line and of a way of a first cache: those that are a way apart share a place
LANES = 16  # the most: so much room is at the end of rows, since lanes may write beyond the last point
LAYOUTS = ("row", "column", "skewed", "diagonal")


@dataclass(frozen=True)
class Block:
    """Inner points of the cube that a rank has: so many from these places on (the first inner point has place 1)."""

    problem: Problem
    low: tuple[int, int, int]
    size: tuple[int, int, int]

    @property
    def points(self) -> int:
        return int(np.prod(self.size))


def whole(problem: Problem) -> Block:
    inner = problem.n - 2
    return Block(problem, (1, 1, 1), (inner, inner, inner))


@dataclass(frozen=True)
class Places:
    """Value c of point (i, j, k) is number (first + k*pk + (i + j)*pd + j*pj)*step + c*apart of an array."""

    first: int
    pk: int
    pd: int
    pj: int
    step: int
    apart: int
    total: int

    @property
    def row(self) -> int:
        """From a point to the next along j."""
        return self.pd + self.pj

    @property
    def lanes(self) -> bool:
        """Points that are swept together lie side by side."""
        return self.pj * self.step == 1

    def view(self, array: Any, low: tuple[int, int, int], size: tuple[int, int, int]) -> Any:
        """The values of a box of points: [c, k, j, i], in the memory of the array (NumPy's or CuPy's)."""
        i, j, k = low
        begin = (self.first + k * self.pk + (i + j) * self.pd + j * self.pj) * self.step
        strides = np.array([self.apart, self.pk * self.step, self.row * self.step, self.pd * self.step]) * array.itemsize
        if isinstance(array, np.ndarray):
            return np.lib.stride_tricks.as_strided(array[begin:], (5, *size[::-1]), strides.tolist())
        import cupy

        return cupy.lib.stride_tricks.as_strided(array[begin:], (5, *size[::-1]), strides.tolist())


def spread(points: int) -> int:
    """So many or a few more, such that the five values of a point do not fall into the same places of a cache."""
    return -(-points // WAY) * WAY + WAY // (5 * LINE) * LINE


def natural(size: tuple[int, int, int], rows: bool, pad: int = LANES) -> Places:
    """Rows along i. `rows`: the five values of a point side by side; otherwise one array after the other."""
    nx, ny, nz = size
    row = -(-(LINE + nx + HALO + pad) // LINE) * LINE  # rows begin with a line of a cache, and so do their first points
    layer = row * (ny + 2 * HALO)
    total = spread(layer * (nz + 2 * HALO) + pad)
    return Places(HALO * (layer + row) + LINE, layer, 1, row - 1, 5 if rows else 1, 1 if rows else total, total)


def skewed(size: tuple[int, int, int], reach: int = 1, pad: int = LANES) -> Places:
    """Rows of points with one i + j, along j; so many points around the block."""
    nx, ny, nz = size
    row = -(-(ny + 2 * reach + pad) // LINE) * LINE
    layer = row * (nx + ny - 1 + 4 * reach)
    total = spread(layer * (nz + 2 * reach) + pad)
    return Places(reach * (layer + 2 * row + 1), layer, row, 1, 1, total, total)


@dataclass
class Fields:
    """All arrays of a block in the memory of a space. `swept` says where sweeps find w and r."""

    block: Block
    space: Space
    layout: str
    precision: str
    lanes: int = LANES
    places: Places = field(init=False)
    swept: Places = field(init=False)

    def __post_init__(self) -> None:
        size, pad = self.block.size, self.lanes
        self.places = skewed(size, HALO, pad) if self.layout == "diagonal" else natural(size, self.layout == "row", pad)
        self.swept = skewed(size, 1, pad) if self.layout == "skewed" else self.places
        self.dtype = np.float32 if self.precision == "single" else np.float64
        self.u, self.w, self.r, self.f = (self._array(self.places.total) for _ in range(4))
        if self.layout == "skewed":
            self.w_swept, self.r_swept = self._array(self.swept.total), self._array(self.swept.total)
        else:
            self.w_swept, self.r_swept = self.w, self.r
        self.done = View(16 * max(self.space.threads, 64), np.int64, self.space)
        problem, h = self.block.problem, self.block.problem.h
        d = np.array(DISSIPATION)
        m = d / h**2
        self.of_residual = self._numbers([0.5 / h, 1 / h**2, problem.dt])
        by = OMEGA * problem.dt / h**2
        diagonal = [1 + 2 * problem.dt * m.sum(), 2 * problem.dt / h**2]
        s = OMEGA * problem.dt / (2 * h)
        self.of_sweeps = [self._numbers([way * s, by, *(by * d), *diagonal, new, 1 - new]) for way, new in ((1, 1), (-1, 0))]
        self.long = max(size) + LANES
        weights = -FOURTH * fourth_difference(problem.n)
        walls = np.zeros((4, 5, self.long))
        for axis in range(3):
            low, n = self.block.low[axis], size[axis]
            walls[axis, :, :n] = weights[:, low : low + n] + m[axis] * np.array([[0], [1], [-2], [1], [0]])
        nx = size[0]
        walls[3, :, :nx] = walls[0, :, nx - 1 :: -1]  # for rows along j: i goes back
        self.walls = self._numbers(walls.reshape(-1))

    def _array(self, points: int) -> View:
        return View(5 * points, self.dtype, self.space)

    def _numbers(self, values: Any) -> View:
        found = View(len(values), self.dtype, self.space)
        found.put(values)
        return found

    @property
    def bytes(self) -> int:
        arrays = {id(view): view for view in (self.u, self.w, self.r, self.f, self.w_swept, self.r_swept)}
        return sum(view.data.nbytes for view in arrays.values())

    def coordinates(self, reach: int) -> tuple[np.ndarray, ...]:
        """x, y, z of the points and of `reach` around them, inside of the cube; to be broadcast to [k, j, i]."""
        found = []
        for axis in range(3):
            places = np.arange(-reach, self.block.size[axis] + reach) + self.block.low[axis]
            shape = [1, 1, 1]
            shape[2 - axis] = -1
            last = self.block.problem.n - 1
            found.append((np.clip(places, 0, last) / last).reshape(shape))  # divided: the last one must be exactly 1
        return tuple(found)

    def box(self, view: View, places: Places, reach: int) -> Any:
        """The values of all points and of `reach` around them, [c, k, j, i]."""
        return places.view(view.data, (-reach,) * 3, tuple(n + 2 * reach for n in self.block.size))  # type: ignore[arg-type]

    def fill(self, what: str) -> None:
        """u and w: `exact`, or what inner points `start` with. Points in rooms between rows get a density of 1."""
        x, y, z = self.coordinates(HALO)
        values = exact(x, y, z)
        if what == "start":
            inner = np.ones(values.shape[1:], bool)
            for s in (x, y, z):
                inner &= (s > 0) & (s < 1)
            values = np.where(inner, start(x, y, z), values)
        for view, given in ((self.u, values), (self.w, np.concatenate([1 / values[:1], values[1:] / values[:1]]))):
            view.data[:] = 1
            self.box(view, self.places, HALO)[...] = self.space.from_host(np.ascontiguousarray(given, self.dtype))
            self.space.synchronize()  # before the copy's memory is used again

    def inner(self, view: View) -> np.ndarray:
        """Values of the block's own points on the host, [c, k, j, i]."""
        return np.array(self.space.to_host(self.box(view, self.places, 0)), np.float64)

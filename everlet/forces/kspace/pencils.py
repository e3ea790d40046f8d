"""A mesh divided among ranks: who has which points at each stage of a Fourier transform, and what is sent between.

    real points     a part of x and of y, all z       transformed along z
    then            a part of x, all y, a part of z   transformed along y
    vectors         all x, a part of y and of z       transformed along x

Ranks are a grid of rows and columns; where one of both is 1 the parts are slabs, and one of the two exchanges is none. A
mesh with fewer rows than ranks leaves some of them without a part.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from everlet.comm.routes import Routes
from everlet.portable import Space
from everlet.portable.fft import AxisTransform

Range = tuple[int, int]
Part = tuple[Range, Range, Range]


def share(n: int, parts: int, k: int) -> Range:
    """Part k of n points.

    >>> [share(10, 4, k) for k in range(4)]
    [(0, 2), (2, 5), (5, 7), (7, 10)]
    """
    return k * n // parts, (k + 1) * n // parts


def shape(part: Part) -> tuple[int, int, int]:
    x, y, z = (high - low for low, high in part)
    return x, y, z


def grids(ranks: int, mesh: tuple[int, int, int]) -> list[tuple[int, int]]:
    """Rows and columns for as many of the ranks as can have a part, slabs first.

    >>> grids(4, (25, 32, 32)), grids(7, (4, 2, 2))
    ([(1, 4), (4, 1), (2, 2)], [(2, 2)])
    """
    nx, ny, half = mesh[0], mesh[1], mesh[2] // 2 + 1
    fit = [(a, b) for a in range(1, min(nx, ny, ranks) + 1) for b in range(1, min(ny, half, ranks // a) + 1)]
    most = max(a * b for a, b in fit)
    return sorted(((a, b) for a, b in fit if a * b == most), key=lambda grid: (min(grid), grid))


class Stages:
    """The parts of all ranks at the three stages."""

    def __init__(self, ranks: int, mesh: tuple[int, int, int], grid: tuple[int, int]):
        (nx, ny, nz), (rows, columns) = mesh, grid
        half, none = nz // 2 + 1, (0, 0)
        self.real, self.middle, self.waves = list[Part](), list[Part](), list[Part]()
        for rank in range(ranks):
            i, j = divmod(rank, columns)
            here = i < rows
            x, y, z = share(nx, rows, i), share(ny, columns, j), share(half, columns, j)
            self.real.append((x, y, (0, nz)) if here else (none, none, none))
            self.middle.append((x, (0, ny), z) if here else (none, none, none))
            self.waves.append(((0, nx), share(ny, rows, i), z) if here else (none, none, none))


class Turn:
    """Complex numbers of a mesh from one division to another; `batch` meshes at a time."""

    def __init__(self, world: Any, space: Space, source: list[Part], target: list[Part], batch: int, staged: bool):
        me = world.rank
        self.same, self.batch = source == target, batch
        self.out, counts = self._cut(source[me], target)
        self.into, came = self._cut(target[me], source)
        self.routes = Routes(world, space, np.array(counts), np.array(came), staged)
        self.sent, self.got = (space.zeros(batch * sum(numbers), np.complex128) for numbers in (counts, came))
        self.found = space.zeros(batch * sum(came), np.complex128).reshape(batch, *shape(target[me]))

    @staticmethod
    def _cut(mine: Part, others: list[Part]) -> tuple[list[tuple[slice, ...]], list[int]]:
        """What of my part belongs to each of the others, and how many points that are."""
        found, counts = [], []
        for other in others:
            ends = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(mine, other, strict=True)]
            counts.append(math.prod(max(high - low, 0) for low, high in ends))
            found.append((slice(None), *(slice(low - first, max(low, high) - first)
                                         for (low, high), (first, _) in zip(ends, mine, strict=True))))
        return found, counts

    def __call__(self, array: Any) -> Any:
        """The numbers of this rank's new part."""
        if self.same:
            return array
        spot = 0
        for cut in self.out:
            piece = array[cut]
            self.sent[spot : spot + piece.size] = piece.ravel()
            spot += piece.size
        self.routes.forward("waves", self.sent, self.got, self.batch)
        spot = 0
        for cut in self.into:
            piece = self.found[cut]
            piece[...] = self.got[spot : spot + piece.size].reshape(piece.shape)
            spot += piece.size
        return self.found

    def close(self) -> None:
        self.routes.close()


class PencilTransform:
    """Fourier transforms of real numbers on a mesh whose parts the ranks have. As RealTransform, but for the parts."""

    def __init__(self, world: Any, space: Space, mesh: tuple[int, int, int], stages: Stages, staged: bool):
        self.world, self.space, self.mesh, self.stages, self.staged = world, space, mesh, stages, staged
        self.real, self.waves = stages.real[world.rank], stages.waves[world.rank]
        self.points, self.vectors = math.prod(shape(self.real)), math.prod(shape(self.waves))
        self.turns: dict[tuple[int, bool], tuple[Turn, Turn]] = {}
        self.axes = [AxisTransform(space, n) for n in mesh]

    def _turns(self, batch: int, forward: bool) -> tuple[Turn, Turn]:
        known = self.turns.get((batch, forward))
        if known is None:
            order = [self.stages.real, self.stages.middle, self.stages.waves]
            half = (0, self.mesh[2] // 2 + 1)
            order[0] = [(x, y, half if z != (0, 0) else z) for x, y, z in order[0]]
            order = order if forward else order[::-1]
            first, second = (Turn(self.world, self.space, a, b, batch, self.staged)
                             for a, b in itertools.pairwise(order))
            known = self.turns[batch, forward] = first, second
        return known

    def forward(self, mesh: Any, spectrum: Any) -> None:
        """Flat arrays: of this rank's points, of its vectors as pairs of numbers."""
        first, second = self._turns(1, True)
        found = mesh[: self.points].reshape(1, *shape(self.real))
        found = first(self.axes[2].forward(found) if found.size else found)
        found = second(self._along(2, found))
        spectrum[: 2 * self.vectors] = self._along(1, found).ravel().view(np.float64)

    def backward(self, waves: Any, mesh: Any, batch: int = 1) -> None:
        """Without a factor; of `batch` meshes, one after the other."""
        first, second = self._turns(batch, False)
        found = waves[: 2 * batch * self.vectors].view(np.complex128).reshape(batch, *shape(self.waves))
        found = first(self._along(1, found, back=True))
        found = second(self._along(2, found, back=True))
        if found.size:
            mesh[: batch * self.points] = self.axes[2].backward(found).ravel()

    def _along(self, axis: int, array: Any, back: bool = False) -> Any:
        """Transform along x (1) or y (2); a rank may have nothing."""
        return self.axes[axis - 1].turn(array, axis, back) if array.size else array

    def close(self) -> None:
        for pair in self.turns.values():
            for turn in pair:
                turn.close()

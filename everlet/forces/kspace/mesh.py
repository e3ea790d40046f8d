"""The mesh of PPPM as a rank has it: a brick around its atoms, points, Fourier vectors, and the way from one to the other.

    brick --fold--> points --transform--> spectrum                    density()
    brick <--pick-- points <--transform-- waves of several fields     fields(n)

A term knows neither whether the mesh is whole or divided, nor where the numbers are on the way:

    Mesh      all of it is here; several ranks may each have all of it and add up their points
    Divided   each rank has a brick around its own atoms, a pencil of the points and one of the vectors (pencils.py): numbers of
              bricks are sent to those that have the points, and back

Divided is used from so many points on (LARGE): below, transforms of all points take less time than five rounds of messages
and packing. On two ranks, CPU milliseconds with all of it on each and divided: 16^3 1.0, 1.3; 24^3 2.2, 2.2; 32^3 5.5, 4.0.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.routes import Routes
from everlet.forces.kspace import pppm_loops as loops
from everlet.forces.kspace import stencil
from everlet.forces.kspace.pencils import Part, PencilTransform, Stages, grids, shape
from everlet.portable import Kernel, ScatterView, View, parallel_for
from everlet.portable.fft import RealTransform

if TYPE_CHECKING:
    from everlet.forces.kspace.pppm import Pppm
    from everlet.forces.kspace.summands import Summand

LARGE = 16384
FOLD, PICK = Kernel(loops.fold), Kernel(loops.pick)


def sums_of(index: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Which numbers belong to each of `size` points, if number k belongs to point index[k]: starts and entries.

    >>> [one.tolist() for one in sums_of(np.array([1, 0, 1]), 2)]
    [[0, 1, 3], [1, 0, 2]]
    """
    start = np.concatenate([[0], np.cumsum(np.bincount(index, minlength=size))])
    return start.astype(np.int32), np.argsort(index, kind="stable").astype(np.int32)


class Mesh:
    """All of the mesh.

    cell      what loops over atoms know of the brick (pppm_loops.py)
    vectors   of this rank, and `place`: how many along y and z, and the first of them
    shares    its sums over vectors are a part of those of all ranks, not the whole
    part      atoms may leave the brick
    """

    part = False

    def __init__(self, solver: Pppm, fields: int, exact: bool, summand: Summand):
        self.solver, self.system, self.space, self.batch = solver, solver.system, solver.system.space, fields
        self.before = (solver.order - 1) // 2
        self.scale = exact_scale(summand) if exact else 1.0
        self.starts, self.entries, self.index = (View(1, np.int32, self.space) for _ in range(3))
        self.made: Any = None  # the box that the influence function was made for
        self._divide()
        self._room()

    # ---- what this rank has
    def _divide(self) -> None:
        """The transform, and the brick with the tables between it and the points."""
        x, y, z = self.mesh
        self.transform: Any = RealTransform(self.space, self.mesh, self.batch)
        self.place = (y, z // 2 + 1, 0, 0)
        self._bricks([-self.before] * 3, [n + self.solver.order + 1 for n in self.mesh], [0.0] * 3)
        a, b, c = (axis % n for axis, n in zip(self._axes(), self.mesh, strict=True))
        self._tables(((a[:, None, None] * y + b[:, None]) * z + c).ravel())

    def _tables(self, owner: np.ndarray) -> None:
        """Between the brick and points here; owner: of each point of the brick without the ends of rows."""
        self._to_points(*sums_of(owner, self.transform.points), self._rows().ravel())
        index = np.zeros(self.size, np.int32)
        index[self._rows().ravel()] = owner
        self.index = self._filled(index)

    def _to_points(self, start: np.ndarray, entry: np.ndarray, where: np.ndarray) -> None:
        self.starts, self.entries = self._filled(start), self._filled(where[entry].astype(np.int32))

    def _filled(self, values: np.ndarray) -> View:
        view = View(max(len(values), 1), np.int32, self.space)
        view.data[: len(values)] = self.space.from_host(values)
        return view

    @property
    def mesh(self) -> tuple[int, int, int]:
        return self.solver.mesh

    @property
    def vectors(self) -> int:
        return int(self.transform.vectors)

    @property
    def shares(self) -> bool:
        return self.system.ranks.rank == 0

    def _bricks(self, first: list[int], extent: list[int], low: list[float]) -> None:
        """This rank's brick: its first point, how many along each axis, and where the period of its atoms begins."""
        self.first, self.extent, self.pitch = first, extent, extent[2] + stencil.PITCH
        self.size = extent[0] * extent[1] * self.pitch
        shift = [-self.before - origin for origin in first]
        self.cell = (*low, *self.mesh, *shift, extent[0], extent[1], self.pitch)

    def _axes(self) -> list[np.ndarray]:
        """Mesh indices of the brick along each axis; images are not wrapped."""
        return [np.arange(first, first + n, dtype=np.int32) for first, n in zip(self.first, self.extent, strict=True)]

    def _rows(self) -> np.ndarray:
        """Where the points of the brick are in its array."""
        x, y, z = self.extent
        return (np.arange(x)[:, None, None] * y + np.arange(y)[:, None]) * self.pitch + np.arange(z)

    def _room(self) -> None:
        fields = self.batch

        def room(size: int) -> View:
            return View(max(size, 1), np.float64, self.space)

        self.charges, self.brick = room(self.size), room(fields * self.size)
        self.scattered = ScatterView(self.charges)
        self.points, self.spectrum = room(fields * self.transform.points), room(2 * self.vectors)
        self.waves, self.green = room(2 * fields * self.vectors), room(self.vectors)
        self.odd = room(self.vectors if self.system.need_box().triclinic else 1)

    def follow(self) -> None:
        """Ghosts are new, and the box may have been divided anew."""

    # ---- a step
    def fits(self) -> bool:
        """No atom was out of the brick when charges were spread."""
        return True

    def density(self) -> None:
        """The spectrum of the charges of all ranks, from those in the brick."""
        ranks, space, points = self.system.ranks, self.space, self.transform.points
        parallel_for(space, points, FOLD, 1.0 / self.scale, self.starts, self.entries, self.charges, self.points)
        if ranks.size > 1:
            self.points.data[:points] = space.from_host(ranks.sum(space.to_host(self.points.data[:points])))
        self.transform.forward(self.points, self.spectrum)

    def fields(self, count: int) -> None:
        """Fields in the brick from their waves."""
        self.transform.backward(self.waves, self.points, count)
        parallel_for(self.space, self.size, PICK, count, self.index, self.transform.points, 1, self.points, self.size, 1,
                     self.brick)


class Divided(Mesh):
    """A part of the mesh. The brick follows the rank's part of the box, with room for atoms that leave it until lists are
    built anew; where that is not enough (`fits`), all ranks make theirs larger."""

    part = True

    def __init__(self, solver: Pppm, fields: int, exact: bool, summand: Summand):
        system = solver.system
        self.margin = system.evaluator.neighbor.skin if system.evaluator is not None else system.units.skin
        self.routes: Any = None
        super().__init__(solver, fields, exact, summand)

    @property
    def shares(self) -> bool:
        return True

    @property
    def _comm(self) -> Any:
        return self.system.division.made

    def _divide(self) -> None:
        ranks, me = self.system.ranks, self.system.ranks.rank
        self.close()
        self.corners = self._comm.cuts.corners.copy()
        bricks = [self._brick_of(low, high) for low, high in self.corners]
        found = [Stages(ranks.size, self.mesh, grid) for grid in grids(ranks.size, self.mesh)]
        stages = min(found, key=lambda one: sum(self._moved(brick, part)
                                                for brick, part in zip(bricks, one.real, strict=True)))
        self.transform = PencilTransform(ranks, self.space, self.mesh, stages, self._comm.staged)
        (_, _), (y0, y1), (z0, z1) = self.transform.waves
        self.place = (max(y1 - y0, 1), max(z1 - z0, 1), y0, z0)
        low = self.corners[me].mean(axis=0) * self._higher() - 0.5
        self._bricks([first for first, _ in bricks[me]], list(shape(bricks[me])), low.tolist())
        out = [self._common(bricks[me], part) for part in stages.real]
        into = [self._common(brick, stages.real[me]) for brick in bricks]
        self.routes = Routes(ranks, self.space, np.array([len(a) for a, _ in out]), np.array([len(a) for a, _ in into]),
                             self._comm.staged)
        sent, got = np.concatenate([a for a, _ in out]), np.concatenate([b for _, b in into])
        self.sent_n, self.got_n = len(sent), len(got)
        self.packed, self.spots = self._filled(self._rows().ravel()[sent].astype(np.int32)), self._filled(got.astype(np.int32))
        self._to_points(*sums_of(got, self.transform.points), np.arange(len(got)))
        index = np.zeros(self.size, np.int32)
        index[self._rows().ravel()[sent]] = np.arange(len(sent))
        self.index = self._filled(index)
        self.messages = {count: (View(max(count * self.sent_n, 1), np.float64, self.space),
                                 View(max(count * self.got_n, 1), np.float64, self.space)) for count in {1, self.batch}}

    def _higher(self) -> np.ndarray:
        """From fractions of the box to those of the cell, which is higher for slabs."""
        return np.array([1.0, 1.0, 1.0 / self.solver.settings.slab])

    def _brick_of(self, low: np.ndarray, high: np.ndarray) -> Part:
        """The points that stencils of atoms of a part of the box reach; no more than a period of places."""
        margin = self.system.need_box().ghost_fraction(self.margin)
        scale, n = self._higher(), np.array(self.mesh)
        middle = 0.5 * (low + high) * scale
        reach = np.minimum((0.5 * (high - low) + margin) * scale, 0.5)
        first = np.floor((middle - reach) * n).astype(int) - self.before
        last = np.ceil((middle + reach) * n).astype(int) + self.solver.order - self.before
        x, y, z = ((int(a), int(b) + 1) for a, b in zip(first, last, strict=True))
        return x, y, z

    def _along(self, brick: Part, part: Part) -> list[tuple[np.ndarray, np.ndarray]]:
        """Of each axis: places in the brick whose points, or their images, are in a part of the mesh, and places there."""
        found = []
        for (first, last), (low, high), n in zip(brick, part, self.mesh, strict=True):
            place = np.arange(first, last)
            inside = (place % n >= low) & (place % n < high)
            found.append((place[inside] - first, place[inside] % n - low))
        return found

    def _moved(self, brick: Part, part: Part) -> int:
        """Points of a brick that another rank has."""
        return math.prod(shape(brick)) - math.prod(len(a) for a, _ in self._along(brick, part))

    def _common(self, brick: Part, part: Part) -> tuple[np.ndarray, np.ndarray]:
        """Points of a brick that are in a part of the mesh: places in both, flat."""
        (a, x), (b, y), (c, z) = self._along(brick, part)
        (_, by, bz), (_, py, pz) = shape(brick), shape(part)
        here, there = (a[:, None, None] * by + b[:, None]) * bz + c, (x[:, None, None] * py + y[:, None]) * pz + z
        return here.ravel(), there.ravel()

    def follow(self) -> None:
        if not np.array_equal(self.corners, self._comm.cuts.corners):
            self._again()

    def _again(self) -> None:
        self._divide()
        self._room()
        self.made = None

    def fits(self) -> bool:
        if not self.system.troubled():
            return True
        self.margin *= 2.0
        self._again()
        return False

    def density(self) -> None:
        space, (sent, got) = self.space, self.messages[1]
        parallel_for(space, self.sent_n, PICK, 1, self.packed, 1, 1, self.charges, 1, 1, sent)
        self.routes.forward("charges", sent.data[: self.sent_n], got.data[: self.got_n], 1)
        parallel_for(space, self.transform.points, FOLD, 1.0 / self.scale, self.starts, self.entries, got, self.points)
        self.transform.forward(self.points.data, self.spectrum.data)

    def fields(self, count: int) -> None:
        space, (got, sent) = self.space, self.messages[count]
        self.transform.backward(self.waves.data, self.points.data, count)
        parallel_for(space, self.got_n, PICK, count, self.spots, self.transform.points, 1, self.points, 1, count, sent)
        self.routes.backward(f"fields {count}", sent.data[: count * self.got_n], got.data[: count * self.sent_n], count)
        parallel_for(space, self.size, PICK, count, self.index, 1, count, got, self.size, 1, self.brick)

    def close(self) -> None:
        """Messages of before are not sent again."""
        if self.routes is not None:
            self.routes.close()
            self.transform.close()


def exact_scale(summand: Summand) -> float:
    """A power of two for which sums of rounded charges at a point are exact, up to a thousand of the largest."""
    most = float(summand.system.ranks.max([summand.largest()])[0])
    return 2.0 ** (42 - math.ceil(math.log2(most)))

"""Bispectrum components of points of a grid: of the neighbours that an atom there would have.

    compute ID group sna/grid grid NX NY NZ …          a table: x y z and components of each point (points.py)
    compute ID group sna/grid/local grid NX NY NZ …    the same as local values, behind ix iy iz from 0

Further words are those of compute sna/atom (descriptors/bispectrum.py) but switchinnerflag, sinner and dinner: a point has no
type. Neighbours of type j are atoms of the group within 2 R_j rcutfac; with chem the point itself counts to the density of
type 1.
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.descriptors.bispectrum import Bispectrum
from everlet.computes.grids.points import BATCH, Around, grid_words, numbers_of, places_of
from everlet.errors import InputError
from everlet.forces.manybody.snap.environments import Described, Environments
from everlet.portable import Kernel
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

INNER = ("switchinnerflag", "sinner", "dinner")
POINT = 1.0  # the radius and the weight of a point, which has none


class OfPoints(Described):
    """The last element is that of points."""

    def cutoff_of(self, one: str, other: str) -> float:
        ends = {one, other} - {self.used[-1]}
        return 2.0 * max((self.coefficients.radius[name] for name in ends), default=POINT)


class AroundPoints(Environments):
    made_of = OfPoints
    around: Around

    def neighbours(self, system: System, x: np.ndarray, kind: np.ndarray, rows: np.ndarray
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of rows of points."""
        of, j, vector = self.around(x[rows])
        inside = (vector**2).sum(axis=1) < self.style.cutoffs[kind[rows[of]], kind[j]] ** 2
        return of[inside], j[inside], vector[inside]


@compute_style("sna/grid")
class SnaGrid(Bispectrum):
    style = "sna/grid"
    slopes = False
    copies_scale = False

    def read(self, words: list[str]) -> None:
        usage = f"compute ID group {self.style} grid NX NY NZ RCUTFAC RFAC0 TWOJMAX R_1 … W_1 … [keyword …]"
        self.grid = grid_words(self.system, words, f"compute {self.id} {self.style}", usage)
        for word in words:
            if word in INNER:
                raise InputError(f"compute {self.style}: {word} is not available: points have no type of their own",
                                 "leave it out")
        super().read(words)
        self.offer()

    def offer(self) -> None:
        self.gives = Gives(array=INTENSIVE, width=3 + self.width)

    def environs(self, radius: list[float], weight: list[float]) -> Environments:
        channels = [*self.channels, self.channels[0]]
        return AroundPoints(self.system, [*radius, POINT], [*weight, POINT], self.settings, channels, self.densities)

    def kernels(self) -> list[Kernel]:
        assert isinstance(self.environments, AroundPoints)
        self.environments.around = Around(self.system.need_box(), np.zeros((0, 3)), POINT)
        return super().kernels()

    @property
    def points(self) -> np.ndarray:
        return np.arange(int(np.prod(self.grid)))

    def asked(self, mask: np.ndarray) -> np.ndarray:
        return self.points

    def measured(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Places and components of these points."""
        there, box = (self._seen[2] & self.bit) != 0, self.system.need_box()
        x, kind = x[there, :3], kind[there]
        environs = self.environments
        assert isinstance(environs, AroundPoints)
        environs.around = Around(box, x, float(environs.style.cutoffs[-1, :-1].max()))
        found = np.zeros((len(rows), 3 + self.width))
        found[:, :3] = places_of(box, self.grid, rows)
        for begin in range(0, len(rows), BATCH):
            part = found[begin : begin + BATCH]
            every = np.concatenate([x, part[:, :3]])
            kinds = np.concatenate([kind, np.full(len(part), self.types + 1, kind.dtype)])
            for batch in self.batches(every, kinds, len(x) + np.arange(len(part))):
                part[batch.rows - len(x), 3:] = batch.values
        return found

    def array(self) -> np.ndarray:
        mine, ranks = self.present(), self.system.ranks
        table = np.zeros((len(self.points), mine.shape[1]))
        table[np.array_split(self.points, ranks.size)[ranks.rank]] = mine
        return np.asarray(ranks.sum(table))


@compute_style("sna/grid/local")
class SnaGridLocal(SnaGrid):
    style = "sna/grid/local"

    def offer(self) -> None:
        self.gives = Gives(local=6 + self.width)

    def local(self) -> np.ndarray:
        ranks = self.system.ranks
        points = np.array_split(self.points, ranks.size)[ranks.rank]
        return np.concatenate([numbers_of(self.grid, points), self.present()], axis=1)

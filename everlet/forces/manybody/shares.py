"""Energies and virials of single atoms, for styles whose energies belong to several atoms at once.

A loop over atoms gives each of those that take part its share: of a pair a half, of three atoms a third. Some of them are
ghosts, whose shares are sent home. Shares are three rows of three numbers for each atom j, which loops subtract from:

    3 j: xx yy zz of the virial      3 j + 1: xy xz yz      3 j + 2: the energy, and nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from everlet.forces.pair.parameters import Parameters
from everlet.portable import Space, View
from everlet.portable.scatter_view import ScatterView

if TYPE_CHECKING:
    from everlet.neighbor.surroundings import Surroundings

NUMBERS = 9


class Sharing(Protocol):
    """A scheme that can share: it does so for the atoms and rows that it was made with."""

    def share(self, out: ScatterView) -> None: ...


class Shares:
    """Room for the shares of all atoms and ghosts of some surroundings."""

    def __init__(self, near: Surroundings):
        self.near, space = near, near.system.space
        self.rows = near.system.atoms.view("x").shape[0]
        self.scatter = ScatterView(View((3 * self.rows, 3), np.float64, space))
        self.column = View(self.rows, np.float64, space)

    def fits(self, near: Surroundings) -> bool:
        return near is self.near and self.rows == near.system.atoms.view("x").shape[0]

    @contextmanager
    def given(self, energy: View, virial: View, factor: float) -> Iterator[ScatterView]:
        """Zero at first; at the end sent home and added, times a factor."""
        near, n = self.near, self.near.n
        self.scatter.reset(3 * self.rows)
        yield self.scatter
        self.scatter.collect(3 * self.rows)
        table = self.scatter.target.data[: NUMBERS * self.rows].reshape(self.rows, NUMBERS)
        width = virial.width
        for k in range(7):
            self.column.data[:] = table[:, k]
            near.comm.reverse_values(near.system, "shares", self.column)
            if k < 6:
                virial.data[k : n * width : width] += factor * self.column.data[:n]
            else:
                energy.data[:n] += factor * self.column.data[:n]


class SharedParameters(Parameters):
    """Of styles whose scheme is a Sharing. One is made for surroundings and their dense rows, beside that of the run."""

    by_pairs = False
    _worker: tuple[Surroundings, Sharing] | None = None
    _shares: Shares | None = None

    def sharer(self, space: Space) -> Any:
        """The class of a scheme whose loops give shares if they are told to."""
        raise NotImplementedError

    def sharing(self, near: Surroundings) -> Sharing:
        """Such a scheme."""
        made = self.sharer(near.system.space)(near.system, near.dense, self)
        made.shares = True
        return made

    def _of(self, near: Surroundings) -> Sharing:
        if self._worker is None or self._worker[0] is not near:
            self._worker = near, self.sharing(near)
        return self._worker[1]

    def function(self, style: Any) -> Any:
        return 0  # pairs have no function of their own

    def with_factor(self, function: Any) -> Any:
        return 0

    def check_float32(self, style: Any) -> None:
        """Numbers of files and models are near 1, or kernels are in double."""

    def peratom(self, near: Surroundings, energy: View, virial: View, factor: float = 1.0) -> None:
        near.follow()
        if self._shares is None or not self._shares.fits(near):
            self._shares = Shares(near)
        with self._shares.given(energy, virial, factor) as out:
            self._of(near).share(out)

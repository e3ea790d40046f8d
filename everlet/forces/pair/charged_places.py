"""Positions with the charge as the fourth number of each: loops over charged pairs then read one row of each neighbour."""

from __future__ import annotations

import numpy as np

from everlet.portable import Kernel, View, f64, local, parallel_for, portable
from everlet.state.system import System


@local
@portable
def place_charges(i, x: f64[:, 4], q: f64[:], places: f64[:, 4]):
    places[i, 0] = x[i, 0]
    places[i, 1] = x[i, 1]
    places[i, 2] = x[i, 2]
    places[i, 3] = q[i]


PLACE = Kernel(place_charges)


class ChargedPlaces:
    """A copy of positions and charges, which is made at every step."""

    def __init__(self, system: System):
        self.system, self.view = system, View((0, 4), np.float64, system.space)

    def update(self, x: View) -> View:
        """The view, with positions `x` and charges of this step. Rows that fill up lists are far away, and stay there."""
        atoms = self.system.atoms
        if self.view.shape != x.shape:
            self.view = View(x.shape, np.float64, self.system.space)
            self.view.put(x.get())
        parallel_for(self.system.space, atoms.total, PLACE, x, atoms.charges(), self.view)
        return self.view

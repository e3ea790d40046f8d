"""Positions as whole multiples of a small length: a quarter of the bits of a position in double are never needed.

The box with its ghosts is cut into up to 2^31 steps along its longest edge, and a position is three 32-bit integers. Their
differences are exact, wherever in the box; rounding positions to float32 would lose digits far from zero. Rows of four
integers take half the memory of positions in double, and reading positions is what most loops wait for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from everlet.portable import Constants, Kernel, View, f64, floor, i32, parallel_for, portable
from everlet.state.atoms import PADDING
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.neighbor.lists import Neighbor

STEPS = 2.0**31  # along the longest edge; half of the integers are left for the filler, which must be far from all
COARSEST = 2e-7  # cutoffs: longer steps are too coarse for forces


@portable
def steps_along(c: f64, middle: f64, inverse: f64):
    """A coordinate in steps from the middle of the box."""
    return i32(floor(min(max((c - middle) * inverse, -1073741824.0), 1073741824.0) + 0.5))


@portable
def to_fixed(i, x: f64[:, 4], origin: f64[:], fixed: i32[:, 4]):
    """origin: the middle of the box (3), steps per unit of length."""
    a = steps_along(x[i, 0], origin[0], origin[3])
    b = steps_along(x[i, 1], origin[1], origin[3])
    c = steps_along(x[i, 2], origin[2], origin[3])
    fixed[i, 0] = a
    fixed[i, 1] = b
    fixed[i, 2] = c


class Steps:
    """How positions of a system are cut into steps: the middle of the box, and the length of a step.

    The length is a power of two: multiplying by it rounds nothing.
    """

    def __init__(self, system: System):
        self.system = system
        self.origin = Constants(4, system.space)
        self.length = 1.0

    def fit(self, margin: float) -> None:
        """Cover the box and so much around it."""
        lo, hi = self.system.region(margin)
        self.length = 2.0 ** math.ceil(math.log2(float((hi - lo).max()) * 1.02 / STEPS))
        self.origin.set([*(0.5 * (lo + hi)), 1.0 / self.length])


class FixedPositions:
    """The positions of all atoms and ghosts in steps, for force loops in mixed and single precision.

    A box so long that a step would be coarser than COARSEST cutoffs keeps its positions in double: `used` is False.
    """

    def __init__(self, neighbor: Neighbor):
        self.neighbor, self.system = neighbor, neighbor.system
        self.view = View((1, 4), np.int32, self.system.space)
        self.used = False
        self.kernel = Kernel(to_fixed)

    @property
    def length(self) -> float:
        return self.neighbor.steps.length

    def prepare(self) -> None:
        """Before kernels are compiled, and after every neighbour build: the box or the number of rows may have changed."""
        atoms, space, near = self.system.atoms, self.system.space, self.neighbor
        if self.system.precision == "double" or space.queue is not None:
            return
        near.fit_steps()
        self.used = self.length <= COARSEST * near.cutoff
        if self.used:
            if self.view.shape[0] < atoms.capacity + PADDING:
                self.view = View((atoms.capacity + PADDING, 4), np.int32, space)
            self.view.data[4 * near.filler :] = np.iinfo(np.int32).max

    def update(self) -> None:
        """The present positions."""
        atoms, space = self.system.atoms, self.system.space
        parallel_for(space, self.neighbor.total(), self.kernel, atoms.view("x"), self.neighbor.steps.origin.view, self.view)

"""Stress through planes all through the box."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import positive
from everlet.computes.stress.planes import Planes
from everlet.errors import arguments
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group stress/mop/profile x|y|z lower|center|upper|COORDINATE DISTANCE total|conf|kin ..."


@compute_style("stress/mop/profile")
class StressMopProfile(Planes):
    """compute ID group stress/mop/profile x|y|z lower|center|upper|COORDINATE DISTANCE total|conf|kin …: a row for each
    plane: its coordinate, three numbers of the first of these, three of the second … (planes.py). One is at the coordinate, the
    others at multiples of the distance from it, as many as the box has room for."""

    style = "stress/mop/profile"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        first, step = self.begin(args[0], args[1], args[3:]), positive(args[2], "a distance")
        box = system.need_box()
        below, above = (first - box.lo[self.axis]) / step, (box.hi[self.axis] - first) / step
        self.places = first + step * np.arange(-int(below), int(above) + 1)
        self.gives = Gives(array=INTENSIVE, width=1 + 3 * len(self.parts))

    def array(self) -> np.ndarray:
        found = self.through(self.places)
        return np.concatenate([self.places[:, None], *(found[part] for part in self.parts)], axis=1)

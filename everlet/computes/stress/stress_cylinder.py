"""Pressures in shells around the z axis."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import positive
from everlet.computes.stress.shells import Shells, Vectors, turned
from everlet.errors import InputError, arguments, number, yes_no
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group stress/cylinder ZLO ZHI RMAX WIDTH [ke yes|no]"


@compute_style("stress/cylinder", "pressure/cylinder")
class StressCylinder(Shells):
    """compute ID group stress/cylinder ZLO ZHI RMAX WIDTH [ke yes|no]: a row for each of RMAX/WIDTH shells around x = y = 0:
    its middle, atoms per volume, the pressure of motion outwards, around the axis and along it (not with ke no), and that of
    pairs likewise (shells.py)."""

    dims = 2

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if len(args) not in (4, 6) or args[4:5] not in ([], ["ke"]):
            arguments([], 4, 4, USAGE)
        self.low, self.high = number(args[0], "a height"), number(args[1], "a height")
        reach, width = positive(args[2], "a radius"), positive(args[3], "a width")
        self.kinetic = yes_no(args[5], "compute stress/cylinder ke") if args[4:] else True
        count, box = int(reach / width), system.need_box()
        if count < 1 or self.low >= self.high:
            raise InputError(f"compute stress/cylinder {' '.join(args)}", "give heights that grow, and a width up to RMAX")
        out = [axis for k, axis in enumerate("xy") if box.periodic[k] and not box.lo[k] <= -reach < reach <= box.hi[k]]
        if box.triclinic or out or (box.periodic[2] and not box.lo[2] <= self.low < self.high <= box.hi[2]):
            raise InputError("compute stress/cylinder: the cylinder is not inside of the box, or that is tilted",
                             "its axis is x = y = 0: use a box around it, such as region R block -10 10 -10 10 0 20")
        self.edges = width * np.arange(count + 1)
        self.gives = Gives(array=INTENSIVE, width=8 if self.kinetic else 5)

    def volumes(self) -> np.ndarray:
        return math.pi * np.diff(self.edges**2) * (self.high - self.low)

    def places(self, x: Vectors) -> Vectors:
        return x

    def parts(self, s: Vectors, d: Vectors, t: np.ndarray) -> list[np.ndarray]:
        square, along = (d[:, :2] ** 2).sum(axis=1), (s * d)[:, :2].sum(axis=1)
        around, pieces = turned(np.abs(s[:, 0] * d[:, 1] - s[:, 1] * d[:, 0]), square, along, t), np.diff(t, axis=1)
        return [square[:, None] * pieces - around, around, d[:, 2:] ** 2 * pieces]

    def array(self) -> np.ndarray:
        return self.table(self.kinetic)

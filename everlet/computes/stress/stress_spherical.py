"""Pressures in shells around a point."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import positive
from everlet.computes.stress.shells import Shells, Vectors, turned
from everlet.errors import InputError, arguments, number
from everlet.forces.pair.single import nearest
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@compute_style("stress/spherical")
class StressSpherical(Shells):
    """compute ID group stress/spherical X Y Z WIDTH RMAX: a row for each of RMAX/WIDTH + 1 shells up to RMAX around X Y Z: its
    middle, atoms per volume, the pressure of motion outwards, around the z axis and towards its poles, and that of pairs
    likewise (shells.py)."""

    gives = Gives(array=INTENSIVE, width=8)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, 5, "compute ID group stress/spherical X Y Z WIDTH RMAX")
        self.centre = np.array([number(word, "a coordinate") for word in args[:3]])
        width, reach = positive(args[3], "a width"), positive(args[4], "a radius")
        box = system.need_box()
        if box.triclinic or any(box.periodic[k] and 2.0 * reach > box.lengths[k] for k in range(3)):
            raise InputError(f"compute stress/spherical: a radius of {args[4]}", "give half of the edges of a box that is not "
                             "tilted, or less")
        self.edges = np.linspace(0.0, reach, int(reach / width) + 2)

    def volumes(self) -> np.ndarray:
        return 4.0 / 3.0 * math.pi * np.diff(self.edges**3)

    def places(self, x: Vectors) -> Vectors:
        return nearest(self.system.need_box(), x - self.centre)

    def parts(self, s: Vectors, d: Vectors, t: np.ndarray) -> list[np.ndarray]:
        square, along, size = (d**2).sum(axis=1), (s * d).sum(axis=1), np.sqrt((np.cross(s, d) ** 2).sum(axis=1))
        across = turned(size, square, along, t)
        around = turned(np.abs(s[:, 0] * d[:, 1] - s[:, 1] * d[:, 0]), (d[:, :2] ** 2).sum(axis=1),
                        (s * d)[:, :2].sum(axis=1), t)
        return [square[:, None] * np.diff(t, axis=1) - across, around, across - around]

    def array(self) -> np.ndarray:
        return self.table(kinetic=True)

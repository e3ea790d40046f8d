"""Densities of atoms at points of a grid, each atom smeared out."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.grids.points import BATCH, Around, grid_words, numbers_of, places_of
from everlet.errors import InputError, arguments, number
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "compute ID group gaussian/grid/local grid NX NY NZ RCUTFAC R_1 R_2 … SIGMA_1 SIGMA_2 …"


@compute_style("gaussian/grid/local")
class GaussianGridLocal(Compute):
    """compute ID group gaussian/grid/local grid NX NY NZ RCUTFAC R_1 R_2 … SIGMA_1 SIGMA_2 …: rows of points of a grid
    (points.py): ix iy iz from 0, x y z, and for each type

        sum over atoms j of exp(-r^2 / (2 sigma^2)) / (sigma sqrt(2 pi))^3     r: distance of atom and point, below 2 R RCUTFAC

    of atoms of the group and of this type, whose R and sigma these are.
    """

    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words, types = list(args), system.ntypes
        system.need_box()
        self.grid = grid_words(system, words, f"compute {id} gaussian/grid/local", USAGE)
        arguments(words, 1 + 2 * types, 1 + 2 * types, USAGE)
        values = [number(word, "a number of compute gaussian/grid/local") for word in words]
        if min(values) <= 0.0:
            raise InputError(f"compute {id}: {min(values):g} among RCUTFAC, radii and widths", "they are all more than 0")
        self.cuts, self.sigmas = 2.0 * values[0] * np.array(values[1 : 1 + types]), np.array(values[1 + types :])
        self.gives = Gives(local=6 + types)

    def local(self) -> np.ndarray:
        system, types = self.system, self.system.ntypes
        whole, box = system.whole, system.need_box()
        mine = np.flatnonzero(whole.read("mask") & self.bit)
        kind = whole.read("type")[mine] - 1
        around = Around(box, whole.read("x")[mine, :3], float(self.cuts.max()))
        points = np.array_split(np.arange(int(np.prod(self.grid))), system.ranks.size)[system.ranks.rank]
        places, sums = places_of(box, self.grid, points), np.zeros((len(points), types))
        for begin in range(0, len(points), BATCH):
            part = places[begin : begin + BATCH]
            of, j, d = around(part)
            r2, kinds = (d**2).sum(axis=1), kind[j]
            value = np.where(r2 < self.cuts[kinds] ** 2, np.exp(-0.5 * r2 / self.sigmas[kinds] ** 2), 0.0)
            sums[begin : begin + BATCH] = np.bincount(of * types + kinds, value, len(part) * types).reshape(-1, types)
        density = sums / (math.sqrt(2.0 * math.pi) * self.sigmas) ** 3
        return np.concatenate([numbers_of(self.grid, points), places, density], axis=1)

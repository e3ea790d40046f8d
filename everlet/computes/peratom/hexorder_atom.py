"""How the neighbours of atoms are arranged in a plane."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import NearPoints, pairs_of, positive
from everlet.errors import InputError, integer, unknown
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "compute ID group hexorder/atom [degree N] [nnn N|NULL] [cutoff R]"


@compute_style("hexorder/atom")
class HexOrderAtom(NearPoints):
    """compute ID group hexorder/atom [degree N] [nnn M|NULL] [cutoff R]: real and imaginary part of the mean of
    exp(i N theta) over the M nearest neighbours (6; NULL: all) within R, theta the angle of x_i - x_j in
    the xy plane; 0 with fewer neighbours."""

    gives = Gives(columns=2)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.degree, self.count = 6, 6
        for word, value in pairs_of(system, args, USAGE):
            if word == "degree":
                self.degree = integer(value, "a degree")
            elif word == "nnn":
                self.count = 0 if value == "NULL" else integer(value, "a number of neighbours")
            elif word == "cutoff":
                self.cutoff = positive(value, "a cutoff")
            else:
                raise unknown("keyword of compute hexorder/atom", word, ("degree", "nnn", "cutoff"), f"usage: {USAGE}")
        if self.degree < 0 or self.count < 0:
            raise InputError("compute hexorder/atom: degree and nnn cannot be negative", f"usage: {USAGE}")

    def peratom(self) -> np.ndarray:
        rows, inside, d, r2 = self.near()
        wanted = np.full(len(rows), self.count) if self.count else inside
        full = (inside >= wanted) & (wanted > 0)
        used = np.arange(d.shape[1]) < wanted[:, None]
        theta = np.arctan2(-d[:, :, 1], -d[:, :, 0])
        mean = np.where(used & np.isfinite(r2), np.exp(1j * self.degree * theta), 0.0).sum(axis=1) / np.maximum(wanted, 1)
        found = np.zeros((self.system.atoms.n, 2))
        found[rows[full]] = np.stack([mean.real, mean.imag], axis=1)[full]
        return found

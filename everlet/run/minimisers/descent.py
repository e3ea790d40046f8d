"""Minimisers that search along lines: steepest descent and conjugate gradients (Polak and Ribière)."""

from __future__ import annotations

import math

from everlet.portable import Kernel
from everlet.run.minimisers import loops
from everlet.run.minimisers.base import Minimiser, min_style
from everlet.run.minimisers.landscape import BEFORE, FORCE, KEPT, START, WAY
from everlet.run.minimisers.line_search import line_search


@min_style("sd")
class SteepestDescent(Minimiser):
    """h = F."""

    fields = (WAY, BEFORE, START, KEPT)
    relaxes = True

    @staticmethod
    def kernels() -> list[Kernel]:
        return [loops.PRODUCTS, loops.LARGEST, loops.KEEP_START, loops.GO_ALONG, loops.TURN]

    def begin(self) -> None:
        self.land.turn(0.0)
        self.square = self.land.products(FORCE, FORCE, FORCE)[0]

    def step(self) -> str:
        self.previous = self.energy
        failed, self.energy, self.alpha = line_search[self.settings.line](self.land, self.energy, self.settings.dmax)
        return failed or self.late() or self.level() or self.turn()

    def turn(self) -> str:
        """The next direction, unless forces are small enough."""
        norm = self.land.force_norm(self.settings.norm)
        if self.weak(norm):
            return "force"
        self.land.turn(0.0)
        return ""


@min_style("cg")
class ConjugateGradients(SteepestDescent):
    """h = F + beta h, beta = max(0, F·(F - F')/F'²), and h = F every 3N iterations or where h would go uphill."""

    def turn(self) -> str:
        land = self.land
        square, overlap = land.products(FORCE, FORCE, BEFORE)
        norm = math.sqrt(square) if self.settings.norm == "two" else land.force_norm(self.settings.norm)
        if self.weak(norm):
            return "force"
        freedom = min(3 * self.system.natoms + len(land.extra[FORCE]), 2**31 - 1)
        beta = max(0.0, (square - overlap) / self.square) if (self.iterations + 1) % freedom else 0.0
        self.square = square
        land.turn(beta)
        if beta and land.products(FORCE, WAY, WAY)[0] <= 0.0:
            land.turn(0.0)
        return ""

"""How far the neighbours that two atoms have in common are from lying evenly around them."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import WithinCutoff


@compute_style("cnp/atom")
class CNPAtom(WithinCutoff):
    """compute ID group cnp/atom R: 1/n sum over the n neighbours j of |sum over k (r_ik + r_jk)|^2, k the neighbours of both i
    and j within R; 0 in perfect crystals."""

    name = "cnp/atom"

    def peratom(self) -> np.ndarray:
        rows, inside, d, _ = self.near()
        found = np.zeros(self.system.atoms.n)
        for row, count, ways in zip(rows, inside, d, strict=True):
            ways = ways[:count]
            both = ((ways[:, None] - ways[None]) ** 2).sum(axis=2) < self.cutoff**2
            np.fill_diagonal(both, False)
            total = 2.0 * both @ ways - both.sum(axis=1)[:, None] * ways  # r_ik + r_jk = 2 r_ik - r_ij
            found[row] = (total**2).sum() / count if count else 0.0
        return found

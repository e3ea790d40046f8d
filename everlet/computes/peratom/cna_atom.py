"""Kinds of crystal around atoms, by common neighbours."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import WithinCutoff

FCC, HCP, BCC, ICO, OTHER = 1, 2, 3, 4, 5


@compute_style("cna/atom")
class CNAAtom(WithinCutoff):
    """compute ID group cna/atom R: 1 fcc, 2 hcp, 3 bcc, 4 icosahedral, 5 other; 0 for atoms that are not in the group.

    Of each neighbour within R: how many are neighbours of both, bonds among these, and the most and fewest of one of them.
    fcc: 12 of 4 2 1 1; hcp: 6 of these and 6 of 4 2 2 0; icosahedron: 12 of 5 5 2 2; bcc: 6 of 4 4 2 2 and 8 of 6 6 2 2.
    """

    name = "cna/atom"

    def peratom(self) -> np.ndarray:
        rows, inside, d, _ = self.near()
        found = np.zeros(self.system.atoms.n)
        found[rows] = OTHER
        for count in (12, 14):
            these = np.flatnonzero(inside == count)
            found[rows[these]] = [self._kind(d[row, :count]) for row in these]
        return found

    def _kind(self, d: np.ndarray) -> int:
        near = ((d[:, None] - d[None]) ** 2).sum(axis=2) < self.cutoff**2
        np.fill_diagonal(near, False)
        signs = []
        for common in near:
            bonds = near[np.ix_(common, common)].sum(axis=1)
            signs.append((len(bonds), int(bonds.sum()) // 2, int(bonds.max(initial=0)), int(bonds.min(initial=len(d)))))
        if len(d) == 14:
            return BCC if signs.count((4, 4, 2, 2)) == 6 and signs.count((6, 6, 2, 2)) == 8 else OTHER
        close, other = signs.count((4, 2, 1, 1)), signs.count((4, 2, 2, 0))
        if close == 12:
            return FCC
        if close == 6 and other == 6:
            return HCP
        return ICO if signs.count((5, 5, 2, 2)) == 12 else OTHER

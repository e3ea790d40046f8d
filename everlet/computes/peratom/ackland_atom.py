"""Kinds of crystal around atoms, by angles between the ways to their neighbours (Ackland and Jones, PRB 73, 054104, 2006)."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import NearPoints, pairs_of
from everlet.errors import unknown, yes_no
from everlet.state.operation import Gives
from everlet.state.system import System

UNKNOWN, BCC, FCC, HCP, ICO = 0, 1, 2, 3, 4
EDGES = (-0.945, -0.915, -0.755, -0.195, 0.195, 0.245, 0.795)  # of cosines, between the bins 0 to 7
USAGE = "compute ID group ackland/atom [legacy yes|no]"


def angles(d: np.ndarray, r2: np.ndarray, near: np.ndarray) -> np.ndarray:
    """How many cosines of the angles between two of the ways d (m, n, 3), with squared lengths r2, are in each of the eight
    bins (m, 8); only those where `near` (m, n) counts."""
    ways = d / np.sqrt(np.where(near, r2, 1.0))[:, :, None]
    j, k = np.triu_indices(d.shape[1], 1)
    bins = np.searchsorted(EDGES, np.einsum("mpa,mpa->mp", ways[:, j], ways[:, k]), side="right")
    bins = np.where(near[:, j] & near[:, k], bins, 8)
    return np.stack([(bins == one).sum(axis=1) for one in range(8)], axis=1)


@compute_style("ackland/atom")
class AcklandAtom(NearPoints):
    """compute ID group ackland/atom [legacy yes|no]: 0 unknown, 1 bcc, 2 fcc, 3 hcp, 4 icosahedral.

    With r0^2 the mean r^2 of the six nearest neighbours: N0 are within sqrt(1.45) r0, N1 within sqrt(1.55) r0; X0 … X7 of the
    angles between the N0 have cosines between -1, EDGES and 1. Departures from the crystals are

        bcc  0.35 X4 / (X5 + X6 - X4)               fcc  0.61 (|X0 + X1 - 6| + X2) / 6
        close packed  |1 - X6 / 24|                 hcp  (|X0 - 3| + |X0 + X1 + X2 + X3 - 9|) / 12

    legacy yes: the rules of the paper. Without it X0 alone decides if it is 7 (bcc), 6 (fcc) or 3 (hcp), as in the reference,
    whose answer is so for a perfect icosahedron fcc, too.
    """

    gives = Gives(columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.legacy = False
        for word, value in pairs_of(system, args, USAGE):
            if word != "legacy":
                raise unknown("keyword of compute ackland/atom", word, ("legacy",), f"usage: {USAGE}")
            self.legacy = yes_no(value, "compute ackland/atom legacy")

    def peratom(self) -> np.ndarray:
        rows, inside, d, r2 = self.near()
        found = np.zeros(self.system.atoms.n)
        enough = inside >= 6
        if not enough.any():
            return found
        d, r2 = d[enough], r2[enough]
        r0 = r2[:, :6].mean(axis=1)[:, None]
        near, n1 = r2 < 1.45 * r0, (r2 < 1.55 * r0).sum(axis=1)
        most = int(near.sum(axis=1).max())
        x = angles(d[:, :most], r2[:, :most], near[:, :most])
        with np.errstate(divide="ignore", invalid="ignore"):
            bcc = 0.35 * x[:, 4] / (x[:, 5] + x[:, 6] - x[:, 4])
        packed, fcc = np.abs(1.0 - x[:, 6] / 24.0), 0.61 * (np.abs(x[:, 0] + x[:, 1] - 6) + x[:, 2]) / 6.0
        hcp = (np.abs(x[:, 0] - 3) + np.abs(x[:, :4].sum(axis=1) - 9)) / 12.0
        if self.legacy:
            bcc, fcc, hcp = (np.where(own, 0.0, value) for own, value in ((x[:, 0] == 7, bcc), (x[:, 0] == 6, fcc),
                                                                          (x[:, 0] <= 3, hcp)))
            rules = [(x[:, 7] > 0, UNKNOWN), ((x[:, 4] < 3) & (n1 >= 11) & (n1 <= 13), ICO), (x[:, 4] < 3, UNKNOWN),
                     ((bcc <= packed) & (n1 >= 11), BCC), (bcc <= packed, UNKNOWN), ((n1 < 11) | (n1 > 12), UNKNOWN)]
        else:
            n0 = near.sum(axis=1)
            rules = [((n0 < 11) | (x[:, 7] > 0), UNKNOWN), (x[:, 0] == 7, BCC), (x[:, 0] == 6, FCC), (x[:, 0] == 3, HCP),
                     (n0 > 12, UNKNOWN), ((n1 == 12) & (x[:, 4] < 3), ICO), ((bcc <= packed) & (n1 < 13), BCC)]
        found[rows[enough]] = np.select([*(rule for rule, _ in rules), fcc < hcp], [*(kind for _, kind in rules), FCC], HCP)
        return found

"""Bispectrum components of each atom (sna/atom), and what they do to each atom: slopes (snad/atom), virials (snav/atom).

    sna/atom    B_k of atom i                                                   K columns
    snad/atom   - sum over atoms j of type I of dB_k(j)/dr_i                    for I, for x y z: K columns
    snav/atom   the same times the position, r_i (-dB_k/dr_i)                   for I, for xx yy zz yz xz xy: K columns

See bispectrum.py for arguments. Sums over atoms i of snav/atom do not depend on the origin, its rows do.
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.descriptors.bispectrum import Bispectrum
from everlet.computes.words.peratom import owned
from everlet.forces.descriptors.sums import VOIGT, add_rows
from everlet.state.operation import Gives


class PerAtom(Bispectrum):
    parts = 1  # numbers of each component and type

    @property
    def gives(self) -> Gives:  # type: ignore[override]
        return Gives(columns=self.width * (self.parts * self.types if self.slopes else 1))

    def peratom(self) -> np.ndarray:
        return owned(self.system, self.present())

    def measured(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> np.ndarray:
        out = np.zeros((len(x) * self.types, self.parts, self.width))
        for batch in self.batches(x, kind, rows):
            types, here = kind[batch.rows][batch.of] - 1, x[batch.rows][batch.of]
            for at, place, sign in ((batch.neighbour, here + batch.vector, 1.0), (batch.rows[batch.of], here, -1.0)):
                add_rows(out, at * self.types + types, sign * self.made(batch.slopes, place))
        return self.system.ranks.sum(out.reshape(len(x), -1))

    def made(self, slopes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Numbers of pairs (pairs, parts, K) from slopes at places."""
        return slopes


@compute_style("sna/atom")
class SnaAtom(PerAtom):
    style = "sna/atom"
    slopes = False

    def measured(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> np.ndarray:
        out = np.zeros((len(x), self.width))
        for batch in self.batches(x, kind, rows):
            out[batch.rows] = batch.values
        return self.system.ranks.sum(out)


@compute_style("snad/atom")
class SnadAtom(PerAtom):
    style = "snad/atom"
    parts = 3


@compute_style("snav/atom")
class SnavAtom(PerAtom):
    style = "snav/atom"
    parts = 6

    def made(self, slopes: np.ndarray, place: np.ndarray) -> np.ndarray:
        return np.stack([slopes[:, a] * place[:, b, None] for a, b in VOIGT], axis=1)

"""Sums over descriptors of atoms, which fits of linear models are made of."""

from __future__ import annotations

import numpy as np

from everlet.forces.descriptors.base import Batch

VOIGT = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))  # direction of the slope, of the position


def add_rows(out: np.ndarray, at: np.ndarray, values: np.ndarray) -> None:
    """out[at] += values, where rows may come several times."""
    if len(at):
        if (np.diff(at) < 0).any():
            order = np.argsort(at, kind="stable")
            at, values = at[order], values[order]
        rows, first = np.unique(at, return_index=True)
        out[rows] += np.add.reduceat(values, first, axis=0)


class Sums:
    """Components of n atoms, `values` (n, K); minus the slopes with the position of each atom of their sums over atoms that
    have the same label, `slopes` (n, labels, 3, K); and sums of r times that over edges, by kinds of the atoms,
    `virial` (6, kinds, K)."""

    def __init__(self, n: int, labels: int, kinds: int, width: int):
        self.values = np.zeros((n, width))
        self.slopes = np.zeros((n, labels, 3, width))
        self.virial = np.zeros((6, kinds, width))

    def add(self, batch: Batch, places: np.ndarray, label: np.ndarray, kind: np.ndarray) -> None:
        """A batch; of all atoms: their places in these arrays, their labels and kinds, counted from 0."""
        centre = batch.rows[batch.of]
        flat, labels = self.slopes.reshape(-1, *self.slopes.shape[2:]), self.slopes.shape[1]
        self.values[places[batch.rows]] = batch.values
        add_rows(flat, places[batch.neighbour] * labels + label[centre], batch.slopes)
        add_rows(flat, places[centre] * labels + label[centre], -batch.slopes)
        for k, (a, b) in enumerate(VOIGT):
            add_rows(self.virial[k], kind[centre], batch.slopes[:, a] * batch.vector[:, b, None])

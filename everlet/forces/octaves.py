"""Functions of r^2 to be looked up by the word `octave_row`: a polynomial of fifth order in each of 64 parts of every octave.

    parts = Octaves(cut, 28)                # 28 octaves of r^2, from that of the squared cutoff downwards
    table = parts.table(f(parts.points))    # below them nothing is known (not a number)
"""

from __future__ import annotations

import math

import numpy as np

PARTS, ORDER = 64, 5


class Octaves:
    """`points` (parts, 6): where functions must be known."""

    def __init__(self, cut: float, count: int):
        top = math.frexp(cut * cut)[1] - 1  # the octave from 2^top on
        octaves = np.arange(top - count + 1, top + 1)
        self._width = np.repeat(2.0**octaves / PARTS, PARTS)[:, None]
        begin = (2.0 ** octaves[:, None] * (1.0 + np.arange(PARTS) / PARTS)).ravel()
        nodes = 0.5 * (1.0 + np.cos(math.pi * (np.arange(ORDER + 1) + 0.5) / (ORDER + 1)))
        self._inverse = np.linalg.inv(np.vander(nodes, increasing=True))
        self._head = [int(begin[0].view(np.int64)) >> 46, len(begin) - 1]
        self.points = begin[:, None] + self._width * nodes
        self.size = 16 + 8 * len(begin)

    def table(self, values: np.ndarray) -> np.ndarray:
        """Of a function that has these values at the points."""
        rows = np.zeros((len(values), 8))
        rows[:, : ORDER + 1] = (values - values[:, :1]) @ self._inverse.T / self._width ** np.arange(ORDER + 1)
        rows[:, 0] += values[:, 0]  # round-off is that of the differences within a part
        return np.concatenate([[*self._head, *[0.0] * 6], [np.nan] * 8, rows.ravel()])

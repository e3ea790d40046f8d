"""Tables of functions of the distance: polynomials of degree 7, so close that they cannot be told from the formulas.

Of each pair of species there are pieces, from kink to kink, each of rows of equal length. A row has eight coefficients of each
function, of powers of the part of the row that lies before r, less a half. So a table is small enough for a cache (that of 38
functions up to 7.4 Angstrom has 190 rows, 450 kB; cubic ones of the same accuracy have 40 times as many rows). Row 0 is zero:
for lanes that have no neighbour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

TERMS = 8  # coefficients
LONGEST, SHORTEST = 0.08, 0.004  # rows, as parts of 8 Angstrom or of the cutoff if that is less
EXACT = 2e-13  # error of a row, relative to the largest value of the function
NEAR = 0.05  # part of the cutoff below which no accuracy is asked for: functions of 1 / r

_NODES = 0.5 * np.cos(np.pi * (np.arange(TERMS) + 0.5) / TERMS)
_FIT = np.linalg.inv(np.vander(_NODES, TERMS, increasing=True))
_BETWEEN = 0.5 * np.cos(np.pi * np.arange(TERMS + 1) / TERMS)
_POWERS = np.vander(_BETWEEN, TERMS, increasing=True)

Functions = Callable[[np.ndarray], np.ndarray]


@dataclass
class Table:
    """`rows`: (rows, functions, 8); `pieces`: where each piece of a pair begins, its rows for a unit of distance, its first
    row. All pairs have as many: those that are not needed begin beyond the cutoff."""

    functions: int
    rows: list[np.ndarray] = field(default_factory=list)
    pairs: list[list[tuple[float, float, float]]] = field(default_factory=list)
    count: int = 1

    def __post_init__(self) -> None:
        self.rows.append(np.zeros((1, self.functions, TERMS)))

    def add(self, function: Functions, cut: float, kinks: list[float]) -> None:
        """The functions of one more pair, given for an array of distances below its cutoff, a column of each."""
        inside = sorted({round(k, 12) for k in kinks if 1e-6 * cut < k < cut * (1.0 - 1e-9)})
        size, found = np.abs(function(np.linspace(NEAR, 1.0 - 1e-9, 200) * cut)).max(axis=0), []
        for begin, end in zip([0.0, *inside], [*inside, cut], strict=True):
            fitted = fit(function, begin, end, cut, size)
            found.append((begin, len(fitted) / (end - begin), float(self.count)))
            self.rows.append(fitted)
            self.count += len(fitted)
        self.rows.append(np.zeros((1, self.functions, TERMS)))  # for what is rounded up to the cutoff
        self.count += 1
        self.pairs.append(found)

    @property
    def data(self) -> np.ndarray:
        return np.concatenate(self.rows)

    @property
    def most_pieces(self) -> int:
        return max((len(found) for found in self.pairs), default=1)

    @property
    def pieces(self) -> np.ndarray:
        """(pairs, pieces, 3)"""
        beyond = (1e30, 0.0, 0.0)
        return np.array([[*found, *[beyond] * (self.most_pieces - len(found))] for found in self.pairs]).reshape(
            len(self.pairs), self.most_pieces, 3)


def fit(function: Functions, begin: float, end: float, cut: float, size: np.ndarray) -> np.ndarray:
    """Coefficients of rows between two distances: as few rows as are exact beside functions of that size."""
    longest, shortest = (part * min(1.0, cut / 8.0) for part in (LONGEST, SHORTEST))
    count = max(1, int(np.ceil((end - begin) / longest)))
    while True:
        length = (end - begin) / count
        middle = begin + length * (np.arange(count) + 0.5)
        values = function((middle[:, None] + length * _NODES).reshape(-1)).reshape(count, TERMS, -1)
        rows = np.einsum("kt,rtf->rfk", _FIT, values)
        asked = middle > NEAR * cut
        wanted = function((middle[asked, None] + length * _BETWEEN).clip(begin, end).reshape(-1))
        off = np.abs(np.einsum("bk,rfk->rbf", _POWERS, rows[asked]).reshape(wanted.shape) - wanted)
        if length <= shortest or (off.max(axis=0, initial=0.0) <= EXACT * size).all():
            return rows
        count = int(np.ceil(1.25 * count))

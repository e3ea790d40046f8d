"""Means of correlated numbers with their errors, running means, drifts.

The error of a mean is that of the means of blocks: neighbouring numbers are averaged two by two, again and again, and of
the errors that all these series give the largest is taken (Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SETTLING = 0.2  # of a run: left out of means
FEWEST = 8  # blocks, for an error


@dataclass(frozen=True)
class Mean:
    """error: NaN where there are too few numbers to tell."""

    value: float
    error: float
    deviation: float
    count: int


def block_error(values: np.ndarray) -> float:
    """The error of the mean of a series.

    >>> round(block_error(np.random.default_rng(1).normal(size=4096)) * 64, 1)
    1.0
    """
    values, found = values[np.isfinite(values)], []
    while len(values) >= FEWEST:
        found.append(float(values.std(ddof=1)) / len(values) ** 0.5)
        even = len(values) // 2 * 2
        values = 0.5 * (values[:even:2] + values[1:even:2])
    return max(found, default=float("nan"))


def mean(values: np.ndarray) -> Mean:
    """Of a run, without its beginning."""
    kept = values[int(SETTLING * len(values)):]
    kept = kept[np.isfinite(kept)]
    if not len(kept):
        return Mean(float("nan"), float("nan"), float("nan"), 0)
    return Mean(float(kept.mean()), block_error(kept), float(kept.std()), len(kept))


def running_mean(values: np.ndarray) -> np.ndarray:
    """The mean of each number and all before it.

    >>> running_mean(np.array([1.0, 3.0, 5.0]))
    array([1., 2., 3.])
    """
    known = np.isfinite(values)
    counts = np.cumsum(known)
    return np.where(counts > 0, np.cumsum(np.where(known, values, 0.0)) / np.maximum(counts, 1), np.nan)


def slope(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope and offset of the straight line of least squares.

    >>> slope(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]))
    (2.0, 1.0)
    """
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) < 2 or np.ptp(x) == 0.0:
        return 0.0, float(y.mean()) if len(y) else 0.0
    middle = x.mean()
    rise = float(((x - middle) * (y - y.mean())).sum() / ((x - middle) ** 2).sum())
    return rise, float(y.mean() - rise * middle)

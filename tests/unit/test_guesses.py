"""Guesses of charges from earlier steps, beside least squares by NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from everlet.fixes.charges.guess_loops import FIT, FITTED_NUMBERS, HELD, RIDGE, continued, correlate, fit
from everlet.portable import Kernel, Serial, View, f64, parallel_for, parallel_reduce, portable


@portable
def guess_both(i, numbers: f64[:], s: f64[:, 6], t: f64[:, 6], out: f64[:]):  # type: ignore[no-untyped-def]
    out[2 * i] = continued(0, numbers, s[i, 0], s[i, 1], s[i, 2], s[i, 3], s[i, 4])
    out[2 * i + 1] = continued(1, numbers, t[i, 0], t[i, 1], t[i, 2], t[i, 3], t[i, 4])


def differences(held: np.ndarray) -> np.ndarray:
    """(4, atoms) from (atoms, 5)."""
    found, rest = [], held
    for _ in range(4):
        rest = rest[:, :-1] - rest[:, 1:]
        found.append(rest[:, 0])
    return np.array(found)


def expected(held: np.ndarray) -> np.ndarray:
    old, change = differences(held[:, 1:]), held[:, 0] - held[:, 1]
    size = np.linalg.norm(old, axis=1)
    scale = np.where(size > 0.0, 1.0 / np.where(size > 0.0, size, 1.0), 0.0)
    scaled = old * scale[:, None]
    square = scaled @ scaled.T
    np.fill_diagonal(square, 1.0 + RIDGE)
    weights = np.linalg.solve(square, scaled @ change) * scale
    return held[:, 0] + weights @ differences(held[:, :-1])


@pytest.mark.parametrize("noise", [0.0, 1e-4, 1.0])
def test_weights_are_those_of_least_squares(noise: float) -> None:
    space, rng, atoms = Serial(), np.random.default_rng(7), 50
    time = -np.arange(HELD)
    held = [np.sin(rng.random((atoms, 1)) * 6 + 0.1 * (1 + rng.random((atoms, 1))) * time)
            + noise * rng.standard_normal((atoms, HELD)) for _ in range(2)]
    held[1][:, 2:] = held[1][:, 2:3]  # as in the second step of a run: all that is older is alike
    views = [View((atoms, HELD), np.float64, space) for _ in range(2)]
    numbers, out = View(FITTED_NUMBERS, np.float64, space), View(2 * atoms, np.float64, space)
    for view, values in zip(views, held, strict=True):
        view.put(values)
    parallel_reduce(space, atoms, Kernel(correlate, sums=28), *views, into=numbers, at=FIT)
    parallel_for(space, 2, fit, numbers)
    parallel_for(space, atoms, guess_both, numbers, *views, out)
    found = out.get().reshape(atoms, 2)
    for k in range(2):
        np.testing.assert_allclose(found[:, k], expected(held[k]), rtol=0, atol=1e-15 / RIDGE)

"""atan2 and acos of lanes and numbers, and gradients of energies of inner coordinates."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.bonded.base import STYLES, AngleStyle, link_function
from everlet.portable import Reference, Serial, acos, atan2, f64, parallel_for, portable
from everlet.state.system import System

EXAMPLES = [(kind, name) for kind, known in STYLES.items() for name in known
            if name not in ("zero", "hybrid", "lepton") and not name.startswith("table")]


@portable
def by_lanes(i, x: f64[:], y: f64[:], angle: f64[:], arc: f64[:]):
    store(angle, i * W, atan2(load(y, i * W), load(x, i * W)))  # noqa: F821
    store(arc, i * W, acos(load(x, i * W)))  # noqa: F821


def test_words() -> None:
    """All quadrants, near axes and diagonals, large and small; beyond -1 and 1 acos ends at pi and 0."""
    rng = np.random.default_rng(5)
    turn = np.concatenate([rng.uniform(-np.pi, np.pi, 2000), rng.normal(size=40) * 1e-9,
                           np.pi / 4 * np.arange(-3, 5) + 1e-12, np.pi / 8 * np.arange(-7, 9)])
    size = np.exp(rng.uniform(-30, 30, turn.size)).tolist()
    x, y = size * np.cos(turn), size * np.sin(turn)
    x[:4], y[:4] = [0.0, 0.0, 2.0, -2.0], [0.0, 1.0, 0.0, 0.0]
    count = x.size // 8 * 8
    x, y = x[:count], y[:count]
    inside = np.clip(x, -1.5, 1.5)
    for space in (Reference(), Serial()):
        angle, arc, unused = (np.zeros(count) for _ in range(3))
        items = count if space.target == "plain" else count // 8
        parallel_for(space, items, by_lanes, x, y, angle, unused)
        parallel_for(space, items, by_lanes, inside, y, unused, arc)
        np.testing.assert_allclose(angle, np.arctan2(y, x), rtol=1e-15, atol=0)
        np.testing.assert_allclose(arc, np.arccos(np.clip(inside, -1, 1)), rtol=2e-15, atol=1e-15)


@pytest.mark.parametrize("kind, name", EXAMPLES)
def test_slopes(kind: str, name: str) -> None:
    """Forces of every style, with its example coefficients, are the slopes of its energy."""
    system = System(Serial())
    system.topology.types[kind] = 1
    style = STYLES[kind][name](system, [])
    style.given[1] = {**dict.fromkeys(style.names(), 1.0), **style.example}
    fields, numbers = style.numbers()
    link, p = style.function(fields), SimpleNamespace(**dict(zip(fields, numbers[1].tolist(), strict=True)))
    rng, size = np.random.default_rng(2), 3 * style.ways
    for _ in range(5):
        ways, toward = rng.normal(size=(2, size))
        ways *= 1.1 / np.sqrt((ways**2).mean() * 3)

        def energy(s: float, ways: np.ndarray = ways, toward: np.ndarray = toward) -> float:
            return link(*(ways + s * toward).tolist(), p, [0.0])[0]

        found, h = np.array(link(*ways.tolist(), p, [0.0])), 1e-4
        slope = (8.0 * (energy(h) - energy(-h)) - energy(2 * h) + energy(-2 * h)) / (12.0 * h)
        assert math.isclose(found[1:] @ toward, slope, rel_tol=1e-6, abs_tol=1e-6 * max(np.abs(found[1:]).max(), 1e-3))


def test_straight_angles_have_finite_forces() -> None:
    function = link_function("angle", STYLES["angle"]["harmonic"].energy, False, ("k", "theta0"))
    found = function(1.0, 0.0, 0.0, -1.0, 0.0, 0.0, SimpleNamespace(k=3.0, theta0=2.0), [0.0])
    assert np.isfinite(found).all() and math.isclose(found[0], 3.0 * (math.pi - 2.0) ** 2)


def test_unknown_coordinate() -> None:
    class Wrong(AngleStyle):
        @portable
        def energy(psi, p):
            return p.k * psi

    with pytest.raises(InputError, match="'psi', which is not a coordinate of angles"):
        Wrong.function(("k",))

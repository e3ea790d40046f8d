"""Checks of a user's bonds, angles, dihedrals and impropers: are the forces the slopes of the energy, here and on every device?

Links of random shape are changed along random directions; the change of the energy by finite differences is compared with what
the derived forces say, and compiled code with plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from everlet.errors import InputError
from everlet.forces.bonded.base import STYLES, LinkStyle
from everlet.forces.bonded.driver import evaluate
from everlet.portable.spaces import Serial, Space
from everlet.state.system import System
from everlet.tools.check_formulas import DEVICE_TOLERANCE, SLOPE_TOLERANCE, slope, spaces

SHAPES = 60

Link = Callable[[np.ndarray], np.ndarray]  # energy and slopes


def check_link(kind: str) -> Callable[[str, Callable[[str], None]], bool]:
    """The check of registered styles of a kind, with their `example` coefficients (1.0 where none is given)."""

    def check(name: str, out: Callable[[str], None] = print) -> bool:
        system = System(Serial())
        system.topology.types[kind] = 1
        made = STYLES[kind][name]
        try:
            style: LinkStyle = made(system, [])
            example = {**dict.fromkeys(style.names(), 1.0), **made.example}
            style.given[1] = example
            fields, numbers = style.numbers()
            formula, data = style.function(fields), style.data()
        except InputError as error:
            out(f"{name}: cannot be set up: {error}")
            return False
        out(f"{name}: {', '.join(f'{key} = {value:g}' for key, value in example.items())}")
        p = SimpleNamespace(**dict(zip(fields, numbers[1].tolist(), strict=True)))
        link: Link = lambda ways: np.array(formula(*ways.tolist(), p, data))  # noqa: E731
        rows = _plain(link, 3 * style.ways)
        if not len(rows):
            out("  the formula has no value for any shape that was tried  FAILED")
            return False
        good = _check_slopes(link, rows, out)
        for space in spaces():
            good &= _check_space(style, link, rows, space, out)
        return good

    return check


def _plain(link: Link, count: int) -> np.ndarray:
    """Random ways from atom 2 to the others, each 0.4 to 1.9 long, where the formula has a value."""
    rng, rows = np.random.default_rng(1), []
    for _ in range(SHAPES):
        ways = rng.normal(size=(count // 3, 3))
        ways *= rng.uniform(0.4, 1.9, (count // 3, 1)) / np.linalg.norm(ways, axis=1, keepdims=True)
        try:
            found = link(ways.ravel())
        except (ArithmeticError, ValueError):
            continue
        if np.isfinite(found).all():
            rows.append(ways.ravel())
    return np.array(rows).reshape(-1, count)


def _check_slopes(link: Link, rows: np.ndarray, out: Callable[[str], None]) -> bool:
    rng, worst, compared = np.random.default_rng(2), 0.0, 0
    typical = float(np.median([np.abs(link(ways)[1:]).max() for ways in rows]))
    for ways in rows:
        toward = rng.normal(size=len(ways))

        def energy(s: float, ways: np.ndarray = ways, toward: np.ndarray = toward) -> float:
            return float(link(ways + (s - 1.0) * toward)[0])

        try:
            derivative, error = slope(energy, 1.0)
        except (ArithmeticError, ValueError):
            continue  # a shape nearby has no energy
        size = max(abs(derivative), 1e-3 * typical, 1e-300)
        if not error < 0.1 * SLOPE_TOLERANCE * size and error > 0.0:
            continue  # a kink nearby: differences say nothing here
        compared += 1
        worst = max(worst, abs(float(link(ways)[1:] @ toward) - derivative) / size)
    good = worst <= SLOPE_TOLERANCE and 2 * compared > len(rows)
    out(f"  forces against -dE/dx: largest relative error {worst:.1e}, {compared} of {len(rows)} shapes usable  "
        f"{'ok' if good else 'FAILED'}")
    return good


def _check_space(style: LinkStyle, link: Link, rows: np.ndarray, space: Space, out: Callable[[str], None]) -> bool:
    """The compiled formula against plain Python."""
    plain = np.array([link(ways) for ways in rows])
    try:
        found = evaluate(style, rows, space)
    except InputError as error:
        out(f"  {space.name}: {error}  FAILED")
        return False
    size = np.maximum(np.abs(plain).max(axis=1, keepdims=True), np.median(np.abs(plain)))
    wrong = ~(np.abs(found - plain) <= 100 * DEVICE_TOLERANCE * size).all(axis=1)
    out(f"  {space.name}: {'differs from plain Python  FAILED' if wrong.any() else 'ok'}")
    return not wrong.any()

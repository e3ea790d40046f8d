"""Checks of a user's pair potentials: is the force the negative slope of the energy, here and on every device?

Finite differences need no second formula to compare with: dE/d(r^2) is taken by central differences, extrapolated
(Richardson) over a halving step, and compared with the F/r that the style returns: F/r = -2 dE/d(r^2).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable

import numpy as np

from everlet.errors import DeviceError, InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.driver import evaluate
from everlet.portable.devices import accelerator
from everlet.portable.spaces import Reference, Serial, Space, Threads, cores
from everlet.state.system import System

POINTS = 60
SLOPE_TOLERANCE = 1e-6  # finite differences in double precision
DEVICE_TOLERANCE = 1e-12  # the same formula in double precision, in another order
CUTOFF = 2.5  # where a style asks for one

Single = Callable[[float], tuple[float, float]]  # F/r and E at distance^2


def check_pair(name: str, out: Callable[[str], None] = print) -> bool:
    """Check one registered pair style with its `example` coefficients (1.0 where none is given)."""
    return all([_check(label, kind, out) for label, kind in pair_style[name].to_check(name).items()])


def _check(name: str, kind: type[PairStyle], out: Callable[[str], None]) -> bool:
    system = System(Serial())
    system.masses = np.ones(2)
    if kind.charged:
        system.set_atom_style("charge")
    example = {coeff: kind.example.get(coeff, 1.0) for coeff in kind.coeffs}
    cut = kind.example.get("cut", CUTOFF)
    settings = {word: cut if word == "cut" else kind.example.get(word, 1.0) for word in kind.settings}
    try:
        style = kind(system, [repr(value) for value in settings.values()])
        style.coeff(["1", "1", *(repr(value) for value in example.values()), *[repr(cut)] * ("cut" not in kind.settings)])
        style.init()
        style.pair_function()
    except InputError as error:
        out(f"{name}: cannot be set up: {error}")
        return False
    out(f"{name}: {', '.join(f'{key} = {value:g}' for key, value in {**settings, **example}.items())}")
    single: Single = lambda r2: style.single(r2, 1, 1)  # noqa: E731
    return _check_formula(single, style.max_cutoff, lambda r2, space: evaluate(style, r2, space), out)


def _check_formula(single: Single, reach: float, compiled: Callable[[np.ndarray, Space], tuple[np.ndarray, np.ndarray]],
                   out: Callable[[str], None]) -> bool:
    rows = _plain(single, reach)
    if not len(rows):
        out(f"  the formula has no value at any distance up to {reach:g}  FAILED")
        return False
    good = _check_slope(single, rows, out)
    for space in spaces():
        good &= _check_space(compiled, rows, space, out)
    return good


def slope(energy: Callable[[float], float], s: float, step: float = 0.0, halvings: int = 9) -> tuple[float, float]:
    """dE/ds at s, and an estimate of its error: central differences, extrapolated while halving the step (0.02 s)."""
    best, error = math.nan, math.inf
    step = step or 0.02 * s
    previous: list[float] = []
    for _ in range(halvings):
        row = [(energy(s + step) - energy(s - step)) / (2.0 * step)]
        for k, coarse in enumerate(previous, 1):
            row.append(row[-1] + (row[-1] - coarse) / (4.0**k - 1.0))
        if previous and abs(row[-1] - previous[-1]) < error:
            best, error = row[-1], abs(row[-1] - previous[-1])
        previous, step = row, 0.5 * step
    return best, error


def _plain(single: Single, reach: float) -> np.ndarray:
    """Rows of r, F/r, E by plain Python, from 0.2 to 0.97 of the reach, where the formula has a value."""
    rows = []
    for r in np.linspace(0.2 * reach, 0.97 * reach, POINTS).tolist():
        try:
            row = (r, *single(r * r))
        except (ArithmeticError, ValueError):
            continue
        if all(math.isfinite(value) for value in row):
            rows.append(row)
    return np.array(rows).reshape(-1, 3)


def _check_slope(single: Single, rows: np.ndarray, out: Callable[[str], None]) -> bool:
    worst, where, compared = 0.0, 0.0, 0
    floor = 1e-6 * float(np.median(np.abs(rows[:, 1])))  # where the force passes through zero no relative error exists
    for r, given, _ in rows.tolist():
        try:
            derivative, error = slope(lambda s: single(s)[1], r * r)
        except (ArithmeticError, ValueError):
            continue  # a neighbour of this distance has no energy
        size = max(2.0 * abs(derivative), floor, 1e-300)
        if not 2.0 * error < 0.1 * SLOPE_TOLERANCE * size and error > 0.0:
            continue  # a kink or a jump nearby: differences say nothing here
        compared += 1
        difference = abs(given + 2.0 * derivative) / size
        if difference > worst:
            worst, where = difference, r
    good = worst <= SLOPE_TOLERANCE and 2 * compared > len(rows)
    out(f"  force against -dE/dr: largest relative error {worst:.1e} at r = {where:g}, "
        f"{compared} of {len(rows)} distances usable  {'ok' if good else 'FAILED'}")
    return good


def spaces() -> list[Space]:
    """All that this machine has. Plain Python comes first: there an index out of bounds is an error, and no crash."""
    found: list[Space] = [Reference(bounds=True), Serial(), *([Threads()] if cores() > 1 else [])]
    with contextlib.suppress(DeviceError):  # not here: the report names the devices that were checked
        found.append(accelerator().space())
    return found


def _check_space(compiled: Callable[[np.ndarray, Space], tuple[np.ndarray, np.ndarray]], rows: np.ndarray, space: Space,
                 out: Callable[[str], None]) -> bool:
    """The compiled formula against plain Python."""
    try:
        force, energy = compiled(rows[:, 0] ** 2, space)
    except InputError as error:
        out(f"  {space.name}: {error}  FAILED")
        return False
    size = np.maximum(np.abs(rows[:, 1:]), np.median(np.abs(rows[:, 1:]), axis=0))
    wrong = ~(np.abs(np.stack([force, energy], 1) - rows[:, 1:]) <= DEVICE_TOLERANCE * size).all(axis=1)
    verdict = f"differs from plain Python at r = {rows[wrong, 0][0]:g}  FAILED" if wrong.any() else "ok"
    out(f"  {space.name}: {verdict}")
    return not wrong.any()

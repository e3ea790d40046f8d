"""The part of the Coulomb energy that pairs within a cutoff have, when a long-range solver has the rest:

    1/r = erfc(g r)/r + erf(g r)/r

The first is for pairs. With y = (g r)^2 the second is g F(y), F(y) = erf(sqrt y)/sqrt y, a smooth function without a pole, and
so is G(y) = -2 dF/dy, which gives its force:

    energy 1/r - g F(y),  force/r 1/r^3 - g^3 G(y)

F and G are polynomials on 0 <= y <= (g r_c)^2: neither erfc nor exp has to be computed. Errors are below 1e-13/r, or below that
of float32. How long the polynomials are depends on the reach (g r_c)^2; it is rounded up to one of `REACHES`, so that few
different kernels are made.

Where registers hold two float64 and gathers cost no more than loads, one look-up is faster: the whole force, pole and all, is
a polynomial of fifth order in each of 64 parts of every octave of r^2 (`by_octaves`); its error is 2e-14 of it.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.polynomial import chebyshev

from everlet.forces.octaves import Octaves
from everlet.forces.pair.erfc import screened
from everlet.portable import Portable, erfc, exp, lookup, octave_row, portable, sqrt
from everlet.portable.language.functions import written

REACHES = (7.0, 10.0, 14.0, 20.0, 28.0, 40.0)
ERROR = {"double": 1e-13, "mixed": 2e-8, "single": 2e-8}
SERIES = 0.7  # below, G is summed as a power series: the closed form loses digits


def smooth_energy(y: float) -> float:
    """F(y) = erf(sqrt y)/sqrt y."""
    return math.erf(math.sqrt(y)) / math.sqrt(y) if y > 0.0 else 2.0 / math.sqrt(math.pi)


def smooth_force(y: float) -> float:
    """G(y) = (F(y) - 2 exp(-y)/sqrt(pi)) / y = 4/sqrt(pi) sum_k (-y)^k / (k! (2k + 3))."""
    if y > SERIES:
        return (smooth_energy(y) - 2.0 / math.sqrt(math.pi) * math.exp(-y)) / y
    return 4.0 / math.sqrt(math.pi) * math.fsum((-y) ** k / (math.factorial(k) * (2 * k + 3)) for k in range(24))


def coefficients(function: object, reach: float, error: float) -> list[float]:
    """Of powers of u = 2 y / reach - 1, up to the one after which what is left out is smaller than the error."""
    count = 48
    angles = math.pi * (np.arange(count) + 0.5) / count
    values = np.array([function(0.5 * reach * (1.0 + math.cos(angle))) for angle in angles])  # type: ignore[operator]
    series = np.array([2.0 / count * math.fsum(values * np.cos(k * angles)) for k in range(count)])
    series[0] *= 0.5
    left = np.cumsum(np.abs(series[:40][::-1]))[::-1]  # the last ones are round-off
    terms = next((k for k in range(len(left)) if left[k] < error), len(left))
    return [float(number) for number in chebyshev.cheb2poly(series[:terms])]


def sum_of_powers(name: str, numbers: list[float]) -> list[str]:
    """The text of a polynomial of u, where u2 u4 u8 … are its powers. Neighbouring terms are joined by u, then those by u^2,
    and so on (Estrin): few steps wait for another one, and most add to a number that nobody else needs."""
    terms, lines, power = [repr(number) for number in numbers], [], 1
    while len(terms) > 1:
        joined = [f"{name}{power}_{k}" for k in range(len(terms) // 2)]
        lines += [f"    {one} = {terms[2 * k + 1]} * u{power} + {terms[2 * k]}" for k, one in enumerate(joined)]
        terms, power = joined + terms[2 * len(joined) :], 2 * power
    return [*lines, f"    {name} = {terms[0]}"]


@functools.cache
def smooth(reach: float, precision: str) -> Portable:
    """near(r2, p, data) by polynomials; data[2] is g."""
    powers = [f"    u{2 * k} = u{k} * u{k}" for k in (1, 2, 4, 8, 16)]
    lines = ["def near(r2, p, data):", "    g = lookup(data, 2.0)", "    g2 = g * g",
             f"    u1 = {2.0 / reach!r} * g2 * r2 - 1.0", *powers, "    ir = rsqrt(r2)"]
    for name, function, size in (("force", smooth_force, reach**-1.5), ("energy", smooth_energy, reach**-0.5)):
        error = ERROR[precision] * 3.0 * size  # a part of the bare force and energy there
        lines += sum_of_powers(name, coefficients(function, reach, error))
    lines += ["    return ir * ir * ir - g2 * g * force, ir - g * energy", ""]
    return written("\n".join(lines), f"smooth part up to {reach:g}")


@portable
def tail(r2, g):
    """erfc(g r)/r: force / r, energy."""
    r = sqrt(r2)
    ir = 1.0 / r
    x = g * r
    energy = erfc(x) * ir
    return (energy + 1.1283791670955126 * g * exp(-x * x)) * ir * ir, energy


@portable
def exact(r2, p, data):
    """For any reach."""
    return tail(r2, lookup(data, 2.0))


@portable
def by_reference(r2, p, data):
    """As the reference has it without tables, digit by digit."""
    _, ir, x, gauss, tail = screened(r2, lookup(data, 2.0))
    return (tail + 1.12837917 * x * gauss) * ir * ir * ir, tail * ir


OCTAVES = 28


def exact_pair(r2: np.ndarray, g: float) -> tuple[np.ndarray, np.ndarray]:
    """Force / r and energy."""
    r = np.sqrt(r2)
    energy = np.array([math.erfc(x) for x in (g * r).ravel()]).reshape(r.shape) / r
    return (energy + 2.0 * g / math.sqrt(math.pi) * np.exp(-((g * r) ** 2))) / r2, energy


@functools.cache
def octave_tables(g: float, cut: float) -> tuple[np.ndarray, np.ndarray]:
    """Tables of force / r and of the energy for the word octave_row; below them nothing is known (not a number)."""
    parts = Octaves(cut, OCTAVES)
    force, energy = exact_pair(parts.points, g)
    return parts.table(force), parts.table(energy)


@portable
def by_octaves(r2, p, data):
    """By look-up; data[3] and data[4] say where the tables of force and energy begin."""
    t, a0, a1, a2, a3, a4, a5 = octave_row(data, lookup(data, 3.0), r2)
    s, b0, b1, b2, b3, b4, b5 = octave_row(data, lookup(data, 4.0), r2)
    return ((((a5 * t + a4) * t + a3) * t + a2) * t + a1) * t + a0, ((((b5 * s + b4) * s + b3) * s + b2) * s + b1) * s + b0


def near_part(g: float, cut: float, precision: str) -> Portable:
    """Force / r and energy of erfc(g r)/r for r < cut."""
    reach = next((reach for reach in REACHES if (g * cut) ** 2 <= reach), None)
    return exact if reach is None else smooth(reach, precision)

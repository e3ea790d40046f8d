"""The stencil of a charge on a mesh: B-splines of order p, and what follows from them.

A charge at t (in mesh widths) gives part of itself to p points along each axis, from c - (p-1)//2 on:

    w_j = W_p(d + j - (p-1)/2)        d = c - t (p odd: c nearest to t), or c + 1/2 - t (p even: c below t);  |d| <= 1/2

W_p is p - 1 times the convolution of a box of width 1 with itself. Each w_j is one polynomial of d.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

PITCH = 8  # points that a row of coefficients has room for: the largest order, and whole steps of lanes


def polynomials(order: int) -> list[list[Fraction]]:
    """coefficients[j][l] of d^l in w_j.

    >>> polynomials(2)
    [[Fraction(1, 2), Fraction(1, 1)], [Fraction(1, 2), Fraction(-1, 1)]]
    """
    found = []
    for j in range(order):
        row = [Fraction(0)] * order
        for k in range(j + 1):
            factor, shift = Fraction((-1) ** k * math.comb(order, k), math.factorial(order - 1)), j - k + Fraction(1, 2)
            for power in range(order):
                row[power] += factor * math.comb(order - 1, power) * shift ** (order - 1 - power)
        found.append(row)
    return found


def coefficients(order: int, rows: list[list[Fraction]] | None = None, pitch: int = PITCH) -> np.ndarray:
    """For kernels: of w_j, d^l at l * pitch + j; then of its slope, d^l at (order + l) * pitch + j. rows: of other stencils."""
    found = np.zeros((2 * order, pitch))
    for j, row in enumerate(rows or polynomials(order)):
        for power, value in enumerate(row):
            found[power, j] = float(value)
            if power:
                found[order + power - 1, j] = float(power * value)
    return found.ravel()


def spline(order: int, x: Fraction) -> Fraction:
    """W_p(x)."""
    terms = ((-1) ** k * math.comb(order, k) * max(x + Fraction(order, 2) - k, Fraction(0)) ** (order - 1)
             for k in range(order + 1))
    return sum(terms, Fraction(0)) / math.factorial(order - 1)


def transform(order: int, n: int, alias: int = 0) -> np.ndarray:
    """U of mesh indices i = 0 … n-1 (signed: the upper half is negative): sinc^p of pi (i/n + alias)."""
    return np.sinc(signed(n) / n + alias) ** order


def all_aliases(order: int, n: int) -> np.ndarray:
    """The sum of U^2 over all aliases of each mesh index: a cosine series whose coefficients are spline values."""
    turn = 2.0 * math.pi * np.arange(n) / n
    found = np.full(n, float(spline(2 * order, Fraction(0))))
    for k in range(1, order):
        found += 2.0 * float(spline(2 * order, Fraction(k))) * np.cos(k * turn)
    return found


def alternating_aliases(order: int, n: int) -> np.ndarray:
    """The same with aliases of odd numbers subtracted, but for a sign of the whole."""
    turn = 2.0 * math.pi * np.arange(n) / n
    found = np.zeros(n)
    for k in range(order):
        found += 2.0 * float(spline(2 * order, Fraction(2 * k + 1, 2))) * np.cos((k + 0.5) * turn)
    return found


def signed(n: int) -> np.ndarray:
    """Mesh indices 0 … n-1 as whole numbers around 0; that of half a period is negative."""
    i = np.arange(n)
    return (i - n * (2 * i // n)).astype(np.float64)

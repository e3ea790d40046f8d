"""How multilevel summation splits 1/r, and what carries charges from one mesh to the next (Hardy and others, J. Chem. Theory
Comput. 11, 766).

1/r = [1/r - g_a(r)] + [g_a - g_2a] + [g_2a - g_4a] + …, g_a(r) = gamma(r/a)/a. gamma(x) = 1/x for x > 1, and below that the
series of 1/x in powers of x^2 - 1 up to half the order. phi is the Lagrange interpolation of order - 1 points around one point
of a mesh, that around the next one, and what goes over from one to the other in between: it is 1 at 0 and 0 at other points.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

Row = list[Fraction]


def product(a: Row, b: Row) -> Row:
    """Of polynomials."""
    found = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[i + j] += x * y
    return found


def total(a: Row, b: Row) -> Row:
    size = max(len(a), len(b))
    return [sum((row[k] for row in (a, b) if k < len(row)), Fraction(0)) for k in range(size)]


def gamma_powers(order: int) -> Row:
    """Coefficients of (x^2)^k in gamma below 1.

    >>> [str(number) for number in gamma_powers(4)]
    ['15/8', '-5/4', '3/8']
    """
    found, power, factor = [Fraction(0)], [Fraction(1)], Fraction(1)
    for k in range(order // 2 + 1):
        found = total(found, [factor * number for number in power])
        power = product(power, [Fraction(-1), Fraction(1)])
        factor *= Fraction(-1 - 2 * k, 2 * (k + 1))
    return found


def gamma(x: np.ndarray, order: int) -> np.ndarray:
    powers = [float(number) for number in gamma_powers(order)]
    inside = np.minimum(x, 1.0) ** 2
    return np.where(x < 1.0, np.polynomial.polynomial.polyval(inside, powers), 1.0 / np.maximum(x, 1.0))


def gamma_slope(x: np.ndarray, order: int) -> np.ndarray:
    """Of gamma, over x."""
    slopes = [2.0 * k * float(number) for k, number in enumerate(gamma_powers(order))][1:]
    return np.where(x < 1.0, np.polynomial.polynomial.polyval(np.minimum(x, 1.0) ** 2, slopes), -1.0 / np.maximum(x, 1.0) ** 3)


def lagrange(order: int, centre: int, point: int) -> Row:
    """In f: 1 at one point, 0 at the others of order - 1 around a centre; nothing if the point is not among them."""
    points = range(centre - order // 2 + 1, centre + order // 2)
    found = [Fraction(int(point in points))]
    for other in points:
        if other != point:
            found = product(found, [Fraction(-other, point - other), Fraction(1, point - other)])
    return found if point in points else [Fraction(0)]


def weights(order: int) -> list[Row]:
    """phi for points of a stencil, in powers of d = 1/2 - f (stencil.py), f the distance from the point below."""
    found = []
    for point in range(1 - order // 2, order // 2 + 1):
        row = total(product([Fraction(1), Fraction(-1)], lagrange(order, 0, point)),
                    product([Fraction(0), Fraction(1)], lagrange(order, 1, point)))
        turned, power = [Fraction(0)], [Fraction(1)]
        for number in row:
            turned = total(turned, [number * part for part in power])
            power = product(power, [Fraction(1, 2), Fraction(-1)])
        found.append([turned[k] if k < len(turned) else Fraction(0) for k in range(order)])
    return found


def halves(order: int) -> np.ndarray:
    """phi(k/2) for k = 0 … order - 1.

    >>> halves(4).tolist()
    [1.0, 0.5625, 0.0, -0.0625]
    """
    middle = [float(row[0]) for row in weights(order)]  # d = 0: halfway between two points
    found = np.zeros(order)
    found[0] = 1.0
    found[1::2] = [middle[order // 2 - 1 - k // 2] for k in range(1, order, 2)]
    return found

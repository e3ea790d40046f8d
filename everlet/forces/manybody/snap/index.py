"""Index lists of bispectrum components, and Clebsch-Gordan coefficients from whole numbers.

All j are doubled: j = 2J is 0 … twojmax, and rows mb and columns ma of the matrix of j are 0 … j.

    full      every element (j, mb, ma); the place of u in the tables
    half      rows 2 mb <= j, in the order in which loops make them: for mb, for j, for ma. The rest follows from
              u[j-mb, j-ma] = (-1)^(ma+mb) conj(u[mb, ma])
    products  z = (j1, j2, j) with j2 <= j1: u_j1 times u_j2 that belong to j
    labels    those with j >= j1: the components B
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

Three = tuple[int, int, int]


@functools.cache
def clebsch_gordan(j1: int, j2: int, j: int, m1: int, m2: int) -> float:
    """<j1 m1 j2 m2 | j m1+m2>, all doubled: the sum of Racah, with whole numbers until the last root."""
    m = m1 + m2
    if abs(m1) > j1 or abs(m2) > j2 or abs(m) > j or not abs(j1 - j2) <= j <= j1 + j2:
        return 0.0
    f = math.factorial
    low = max(0, (j2 - j - m1) // 2, (j1 - j + m2) // 2)
    high = min((j1 + j2 - j) // 2, (j1 - m1) // 2, (j2 + m2) // 2)
    # over the common denominator of all terms
    parts = [(f(k), f((j1 + j2 - j) // 2 - k), f((j1 - m1) // 2 - k), f((j2 + m2) // 2 - k), f((j - j2 + m1) // 2 + k),
              f((j - j1 - m2) // 2 + k)) for k in range(low, high + 1)]
    terms = [math.prod(part) for part in parts]
    common = math.lcm(*terms)
    top = sum((-1 if (low + k) % 2 else 1) * (common // term) for k, term in enumerate(terms))
    square = (j + 1) * f((j1 + j2 - j) // 2) * f((j1 - j2 + j) // 2) * f((j2 - j1 + j) // 2)
    for number in (j1 + m1, j1 - m1, j2 + m2, j2 - m2, j + m, j - m):
        square *= f(number // 2)
    value = math.sqrt(square * top * top / (f((j1 + j2 + j) // 2 + 1) * common * common))
    return value if top > 0 else -value


def labels(twojmax: int) -> list[Three]:
    """(j1, j2, j) of the components, in the order of coefficient files."""
    return [(j1, j2, j) for j1, j2, j in products(twojmax) if j >= j1]


def products(twojmax: int) -> list[Three]:
    return [(j1, j2, j) for j1 in range(twojmax + 1) for j2 in range(j1 + 1)
            for j in range(j1 - j2, min(twojmax, j1 + j2) + 1, 2)]


# the components that a product z adds to, of channels (mu, nu, kappa), as places of those three
KEEP, OUTER, INNER, TURN = (0, 1, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0)


def shares(j1: int, j2: int, j: int) -> tuple[Three, list[Three], float]:
    """Of product z: its label, which orders of the channels count, and its factor: Y_kappa += factor sum(beta) z."""
    if j >= j1:
        orders = [KEEP, OUTER, INNER] if j1 == j2 == j else [KEEP, OUTER] if j1 == j else [KEEP]
        return (j1, j2, j), orders, 1.0
    ratio = (j1 + 1) / (j + 1)
    if j >= j2:
        return (j, j2, j1), [OUTER, TURN] if j == j2 else [OUTER], ratio
    return (j2, j, j1), [TURN], ratio


@dataclass
class Index:
    """Tables for one twojmax. Places in `full` and `half` count complex numbers.

    unfold_*    of each full element: its half one, factors of its real and imaginary part, 1 on the diagonal
    fold_*      of each half element: the one of y that it is made of, factors of both parts, and j - ma, ma, 2 ma - j;
                1 on the diagonal; its full element
    sections    rows (first item, items, first coefficient, first product): all pairs of elements of one j1, j2 whose
                product belongs to one place (2 mb - j, 2 ma - j) of n matrices, j = first, first + 2 …
    ranges      sections of place g with n matrices are ranges[g * most + n - 1] … ranges[g * most + n] - 1
    out         of section s and its k-th matrix: out[s * most + k], the half element
    pairs       of each item: two full elements;  coefficients: n of each item
    places      (2 mb - j, 2 ma - j), those with the most products first
    mirrored    of each place: how often it counts in sums over all elements
    """

    twojmax: int
    most: int
    places: int
    full: int
    half: int
    unfold_from: np.ndarray
    unfold_scale: np.ndarray
    unfold_one: np.ndarray
    fold_from: np.ndarray
    fold_scale: np.ndarray
    fold_step: np.ndarray
    fold_one: np.ndarray
    fold_full: np.ndarray
    sections: np.ndarray
    ranges: np.ndarray
    out: np.ndarray
    pairs: np.ndarray
    coefficients: np.ndarray
    mirrored: np.ndarray


def _elements(twojmax: int) -> tuple[dict[Three, int], dict[Three, int]]:
    whole = [(j, mb, ma) for j in range(twojmax + 1) for mb in range(j + 1) for ma in range(j + 1)]
    rows = [(j, mb, ma) for mb in range(twojmax // 2 + 1) for j in range(2 * mb, twojmax + 1) for ma in range(j + 1)]
    return {key: k for k, key in enumerate(whole)}, {key: k for k, key in enumerate(rows)}


def _scale(j: int, mb: int, ma: int) -> float:
    """u over the number that loops carry, the coefficient of t^ma in (a* - b* t)^(j - mb) (b + a t)^mb."""
    f = math.factorial
    return math.sqrt(f(ma) * f(j - ma) / (f(mb) * f(j - mb)))


@functools.cache
def index(twojmax: int, channels: int = 1) -> Index:
    """With one channel u_j1 u_j1 is the same both ways round, and such pairs are listed once."""
    full, half = _elements(twojmax)
    unfold_from, unfold_scale, unfold_one = np.zeros(len(full), np.int32), np.zeros((len(full), 2)), np.zeros(len(full))
    for (j, mb, ma), k in full.items():
        scale, sign = _scale(j, mb, ma), (-1) ** (ma + mb)
        mirror = 2 * mb > j
        unfold_from[k] = half[(j, j - mb, j - ma) if mirror else (j, mb, ma)]
        unfold_scale[k] = (sign * scale, -sign * scale) if mirror else (scale, scale)
        unfold_one[k] = mb == ma
    fold_from, fold_scale, fold_step = np.zeros(len(half), np.int32), np.zeros((len(half), 2)), np.zeros((len(half), 3))
    for (j, mb, ma), k in half.items():
        middle, sign = 2 * mb == j, (-1) ** (ma + mb)
        mirror = middle and 2 * ma > j
        scale = _scale(j, mb, ma) * (1.0 if middle else 2.0)
        fold_from[k] = half[(j, j - mb, j - ma) if mirror else (j, mb, ma)]
        fold_scale[k] = (sign * scale, -sign * scale) if mirror else (scale, scale)
        fold_step[k] = j - ma, ma, 2 * ma - j

    most = twojmax // 2 + 1
    number = {z: k for k, z in enumerate(products(twojmax))}
    sections: list[tuple[int, int, int, int]] = []
    ranges, out, pairs, coefficients, mirrored = [0], [], [], [], []
    items = numbers = 0
    places = [(b, a) for b in range(-twojmax, 1) for a in range(-twojmax, twojmax + 1) if (a - b) % 2 == 0]
    places = sorted(((b, a) for b, a in places if b < 0 or a <= 0), key=lambda place: -_pairs(twojmax, *place))
    for b, a in places:
        mirrored.append(1.0 if a == b == 0 else 2.0)
        by_count: list[list[tuple[int, int, list[int]]]] = [[] for _ in range(most)]
        for j1 in range(twojmax + 1):
            for j2 in range(j1 + 1):
                low = max(abs(a), abs(b), j1 - j2)
                if (j1 + j2 - a) % 2 == 0:
                    js = list(range(low, min(twojmax, j1 + j2) + 1, 2))
                    if js:
                        by_count[len(js) - 1].append((j1, j2, js))
        for group in by_count:
            for j1, j2, js in group:
                rows, columns = (np.arange(max(-j1, m - j2), min(j1, m + j2) + 1, 2) for m in (b, a))  # twice m1
                first = _coefficients(j1, j2, js, b, rows)[:, :, None] * _coefficients(j1, j2, js, a, columns)[:, None, :]
                one = (rows[:, None] + j1) // 2 * (j1 + 1) + (columns + j1) // 2
                two = (b - rows[:, None] + j2) // 2 * (j2 + 1) + (a - columns + j2) // 2
                one, two = one.ravel(), two.ravel()
                values = first.reshape(len(js), -1).T
                if j1 == j2 and channels == 1:
                    keep = one <= two
                    values = (values * np.where(one < two, 2.0, 1.0)[:, None])[keep]
                    one, two = one[keep], two[keep]
                pairs.append(np.stack([one + full[j1, 0, 0], two + full[j2, 0, 0]], axis=1))
                coefficients.append(values.ravel())
                sections.append((items, len(one), numbers, number[j1, j2, js[0]]))
                out += [half[j, (b + j) // 2, (a + j) // 2] for j in js] + [0] * (most - len(js))
                items, numbers = items + len(one), numbers + values.size
            ranges.append(len(sections))
    return Index(twojmax, most, len(places), len(full), len(half), unfold_from, unfold_scale.ravel(), unfold_one, fold_from,
                 fold_scale.ravel(), fold_step.ravel(), np.array([float(mb == ma) for _, mb, ma in half]),
                 np.array([full[key] for key in half], np.int32), np.array(sections, np.int32).ravel(),
                 np.array(ranges, np.int32), np.array(out, np.int32),
                 np.concatenate(pairs).astype(np.int32).ravel(), np.concatenate(coefficients), np.array(mirrored))


def _pairs(twojmax: int, b: int, a: int) -> int:
    """How many products belong to a place, about."""
    def rows(j1: int, j2: int, m: int) -> int:
        return max(0, min(j1, m + j2) - max(-j1, m - j2)) // 2 + 1

    return sum(rows(j1, j2, b) * rows(j1, j2, a) for j1 in range(twojmax + 1) for j2 in range(j1 + 1)
               if (j1 + j2 - a) % 2 == 0 and max(abs(a), abs(b), j1 - j2) <= min(twojmax, j1 + j2))


def _coefficients(j1: int, j2: int, js: list[int], m: int, m1: np.ndarray) -> np.ndarray:
    return np.array([[clebsch_gordan(j1, j2, j, k, m - k) for k in m1.tolist()] for j in js])

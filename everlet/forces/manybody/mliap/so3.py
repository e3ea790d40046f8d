"""pair_style mliap … descriptor so3 FILE: power spectra of densities that are expanded in radial functions.

    c_nlm = sum over neighbours of w f(r) 4 pi e^(-alpha r^2) I_nl(r) Y_lm,   f = (1 + cos pi r / r_c) / 2,   r_c = rcutfac
    I_nl  = integral from 0 to r_c of s^2 g_n(s) e^(-alpha s^2) i_l(2 alpha r s) ds
    D     = 2 sqrt 2 pi / sqrt(2 l + 1) sum over m of Re c_n1lm c*_n2lm          for n1, for n2 <= n1, for l

g_n are powers of r_c - s made orthonormal, i_l modified spherical Bessel functions. Neighbours are within rcutfac (R_i + R_j),
and r_c. The file has `rcutfac nmax lmax alpha`, `elems`, `radelems`, `welems` and, if it likes, `nelems`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError, unknown
from everlet.forces.descriptors.base import Given, elements_of
from everlet.forces.manybody.ace.expansion import Expansion, Layout
from everlet.forces.manybody.ace.products import Term
from everlet.forces.manybody.ace.tables import Table
from everlet.forces.manybody.mliap.expansion import DescribedExpansion
from everlet.forces.manybody.mliap.mliap import described_by
from everlet.forces.potential_file import PotentialFile

NUMBERS, WHOLE, ELEMENTS = ("rcutfac", "alpha"), ("nmax", "lmax"), ("nelems", "elems", "radelems", "welems")
MOST = 12  # of nmax and of lmax


@dataclass
class Spectrum:
    """What such a file says."""

    path: str
    cut: float
    alpha: float
    nmax: int
    lmax: int
    elements: list[str]
    radius: list[float]
    weight: list[float]

    @property
    def components(self) -> int:
        return self.nmax * (self.nmax + 1) * (self.lmax + 1) // 2

    def cutoff(self, a: int, b: int) -> float:
        return self.cut * min(1.0, self.radius[a] + self.radius[b])

    def expand(self, used: list[int]) -> Expansion:
        return expand(self, used)


def read_spectrum(given: Given) -> Spectrum:
    file = PotentialFile.of(given, "settings of so3")
    known, words = (*NUMBERS, *WHOLE, *ELEMENTS), dict[str, list[str]]()
    numbers: dict[str, float] = {}
    while True:
        try:
            key, *values = file.words("a keyword")
        except InputError:
            break
        if key not in known:
            raise file.fail(unknown("keyword of so3", key, known).cause, f"known: {', '.join(known)}")
        if key in words:
            raise file.fail(f"{key} is set twice", "leave one of them out")
        words[key] = values
        if key in ELEMENTS:
            continue
        if len(values) != 1:
            raise file.fail(f"expected one value of {key}, found {len(values)}")
        numbers[key] = file.number(values[0], key) if key in NUMBERS else file.integer(values[0], key)
        if not (0 if key == "lmax" else 1 if key == "nmax" else 1e-12) <= numbers[key] <= (MOST if key in WHOLE else 1e3):
            raise file.fail(f"{key} is {values[0]}", f"nmax is 1 to {MOST}, lmax 0 to {MOST}; others are more than 0")
    missing = [key for key in (*NUMBERS, *WHOLE) if key not in words]
    if missing:
        raise InputError(f"{file.path} has no {missing[0]}", f"{', '.join((*NUMBERS, *WHOLE))} must be given")
    elements, radius, weight = elements_of(words, str(file.path))
    return Spectrum(str(file.path), numbers["rcutfac"], numbers["alpha"], int(numbers["nmax"]), int(numbers["lmax"]), elements,
                    radius, weight)


def radial_functions(of: Spectrum) -> Callable[[np.ndarray], np.ndarray]:
    """f(r) 4 pi e^(-alpha r^2) I_nl(r) of distances up to the cutoff, a column of each n, for each l."""
    from scipy.special import ive  # a tenth of a second to import

    a = np.arange(1, of.nmax + 1)
    t = (2 * a + 5.0) * (2 * a + 6.0) * (2 * a + 7.0)
    both = 5.0 + a[:, None] + a
    values, vectors = np.linalg.eigh(np.sqrt(t[:, None] * t) / (both * (both + 1.0) * (both + 2.0)))
    orthonormal = (vectors / np.sqrt(values)) @ vectors.T
    points = 10 * (of.nmax + of.lmax + 1)  # of a quadrature after Chebyshev and Gauss
    x = np.cos((2 * np.arange(1, points + 1) - 1) * np.pi / (2 * points))
    s = of.cut * (x + 1.0) / 2.0
    powers = (of.cut - s) ** (a[:, None] + 2) / np.sqrt(2.0 * of.cut ** (2 * a[:, None] + 7.0) / t[:, None])
    weighted = orthonormal @ powers * (s * s * np.pi / points * of.cut / 2.0 * np.sqrt(1.0 - x * x))  # (n, points)

    def values_of(r: np.ndarray) -> np.ndarray:
        z = np.maximum(2.0 * of.alpha * r[:, None] * s, 1e-200)
        near = np.exp(-of.alpha * (r[:, None] - s) ** 2) * np.sqrt(np.pi / (2.0 * z))
        switch = 2.0 * np.pi * (1.0 + np.cos(np.pi * np.minimum(r / of.cut, 1.0)))
        return np.concatenate([switch[:, None] * (near * ive(ell + 0.5, z)) @ weighted.T for ell in range(of.lmax + 1)], axis=1)

    return values_of


def expand(of: Spectrum, used: list[int]) -> Expansion:
    """All neighbours add to one channel, as much as their element weighs."""
    layout = Layout(of.lmax, [of.nmax] * (of.lmax + 1), [0] * len(used))
    terms: list[Term] = []
    output = 0
    for one in range(of.nmax):
        for two in range(one + 1):
            for ell in range(of.lmax + 1):
                # Y of the expansion have the norm 4 pi
                size = 2.0 * np.sqrt(2.0) * np.pi / np.sqrt(2.0 * ell + 1.0) / (4.0 * np.pi)
                for m in range(ell + 1):
                    (first, _), (second, _) = layout.factor(0, one, ell, m), layout.factor(0, two, ell, m)
                    factors = first, ((second[0], True) if m else second)
                    terms.append((factors, np.array([2.0 * size if m else size]), output))
                output += 1
    table, functions = Table(of.nmax * (of.lmax + 1)), radial_functions(of)
    for a in used:
        for b in used:
            table.add(lambda r, b=b: of.weight[b] * functions(r), of.cutoff(a, b), [])  # type: ignore[misc]
    none = np.zeros((len(used), len(used), 0), int)
    return Expansion(layout, table, none, [terms] * len(used), outputs=output)


@described_by("so3")
class MliapSo3(DescribedExpansion):
    read = staticmethod(read_spectrum)

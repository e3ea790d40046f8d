"""Functions of the distance that an expansion is made of, as formulas; x = r / r_c.

    ChebExpCos   g_1 = 1, g_k = (1 - T_{k-1}(X)) / 2, X = 1 - 2 (e^{-lambda x} - e^{-lambda}) / (1 - e^{-lambda}),
                 all times (1 + cos pi x) / 2, and within dcut of r_c times another such cosine
    ChebPow      g_k = (1 - T_k(X)) / 2, X = 1 - 2 (1 - x)^lambda
    ChebLinear   the same of X = 1 - x: it does not end at zero
    SBessel      sums of sin(n pi x) / r that are orthonormal under r^2
"""

from __future__ import annotations

import numpy as np

from everlet.forces.manybody.ace.records import Bond
from everlet.state.elements import SYMBOLS

COULOMB = 14.399645351950543  # e^2 / (4 pi eps0) in eV Angstrom
SCREENING = (0.18175, 3.19980), (0.50986, 0.94229), (0.28022, 0.40290), (0.02817, 0.20162)  # of Ziegler, Biersack, Littmark
VANISHED = 50.0  # exponents from which on the repulsion is 0


def falling(x: np.ndarray, top: float, width: float) -> np.ndarray:
    """1 below top - width, 0 above top, and smooth between."""
    t = np.clip((top - x) / (width or 1e-12), 0.0, 1.0)
    return t**3 * (10.0 - 15.0 * t + 6.0 * t * t)


def cosine(x: np.ndarray, width: float) -> np.ndarray:
    """1 up to 0, then half a wave down to 0 at `width`."""
    return 0.5 + 0.5 * np.cos(np.pi / (width or 1e-12) * np.clip(x, 0.0, width))


def chebyshev(count: int, x: np.ndarray) -> np.ndarray:
    """T_0 … T_count, a column of each."""
    found = [np.ones_like(x), x]
    while len(found) <= count:
        found.append(2.0 * x * found[-1] - found[-2])
    return np.stack(found, -1)


def base(bond: Bond, r: np.ndarray) -> np.ndarray:
    """g_k of distances up to the cutoff, a column of each."""
    g, x, count = np.zeros((len(r), bond.functions)), r / bond.cut, bond.functions
    if bond.kind == "ChebExpCos":
        end = np.exp(-bond.steep)
        g = 0.5 - 0.5 * chebyshev(count, 1.0 - 2.0 * (np.exp(-bond.steep * x) - end) / (1.0 - end))[:, :count]
        g[:, 0] = 1.0
        g *= (cosine(r, bond.cut) * cosine(r - bond.cut + bond.width, bond.width))[:, None]
    elif bond.kind in ("ChebPow", "ChebLinear"):
        away = np.clip(1.0 - x, 0.0, 1.0)
        g = 0.5 - 0.5 * chebyshev(count, 1.0 - 2.0 * away**bond.steep if bond.kind == "ChebPow" else away)[:, 1:]
    elif bond.kind == "SBessel":
        d = 1.0
        for k in range(count):
            size = (-1) ** k * np.sqrt(2.0) * np.pi / bond.cut**1.5 * (k + 1) * (k + 2) / np.hypot(k + 1, k + 2)
            g[:, k] = size * (np.sinc(x * (k + 1)) + np.sinc(x * (k + 2)))
            if k:
                e = k * k * (k + 2) ** 2 / (4.0 * (k + 1) ** 4 + 1.0) / d
                d = 1.0 - e
                g[:, k] = (g[:, k] + np.sqrt(e) * g[:, k - 1]) / np.sqrt(d)
    if bond.inner == "distance":
        g *= (1.0 - falling(r, bond.inner_cut, bond.inner_width))[:, None]
    return g


def mixed(bond: Bond, shells: list[int]) -> list[np.ndarray]:
    """Of each l as many R_nl as there are in its shell, as sums of g_k: (n, k); zero where the bond has fewer."""
    found = []
    for ell, count in enumerate(shells):
        mine = np.zeros((count, bond.functions))
        if ell < bond.mixing.shape[1]:
            known = min(count, bond.mixing.shape[0])
            mine[:known] = bond.mixing[:known, ell]
        found.append(mine)
    return found


def repulsion(bond: Bond, names: tuple[str, str], r: np.ndarray) -> np.ndarray:
    """The core: of nuclei that are near, or of a Gaussian."""
    if bond.inner == "zbl":
        return _nuclei(bond, names, r)
    strength = abs(bond.core_steep) * r * r
    found = np.where(strength < VANISHED, abs(bond.core) * np.exp(-strength) / r, 0.0) * cosine(r, bond.cut)
    return found * falling(r, bond.inner_cut, bond.inner_width) if bond.inner == "distance" else found


def _nuclei(bond: Bond, names: tuple[str, str], r: np.ndarray) -> np.ndarray:
    """Half of the energy of screened charges, with value, slope and curvature 0 at the cutoff."""
    zi, zj = (SYMBOLS.index(name) if name in SYMBOLS else 0 for name in names)
    k = np.array([one[1] for one in SCREENING]) * (zi**0.23 + zj**0.23) / 0.46850
    c = np.array([one[0] for one in SCREENING]) * bond.core * COULOMB / 2.0 * zi * zj
    cut, w = bond.cut, bond.width
    p, p1, p2 = ((c * (-k) ** q * np.exp(-k * cut)).sum() for q in range(3))
    e, e1, e2 = p / cut, p1 / cut - p / cut**2, p2 / cut - 2.0 * p1 / cut**2 + 2.0 * p / cut**3
    t = np.clip(r - cut + w, 0.0, None)
    bend = (-3.0 * e1 + w * e2) / w**2 * t**3 / 3.0 + (2.0 * e1 - w * e2) / w**3 * t**4 / 4.0
    shift = w * e1 / 2.0 - w * w * e2 / 12.0 - e
    return ((c * np.exp(-k * r[:, None])).sum(axis=1) / r + bend + shift) * falling(r, cut, w)


def kinks(bond: Bond) -> list[float]:
    """Distances at which a derivative of one of these functions jumps."""
    found = [bond.cut - bond.width] if bond.kind == "ChebExpCos" or bond.inner == "zbl" else []
    if bond.inner == "distance":
        found += [bond.inner_cut - bond.inner_width, bond.inner_cut]
    return found

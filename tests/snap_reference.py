"""SNAP as it is defined, in plain NumPy, slowly: matrices by their closed form, components as sums over all elements.

Nothing is shared with the package: rotation matrices are sums of powers, Clebsch-Gordan coefficients come from the
eigenvectors of the total angular momentum, energies are added up over all images, forces are differences of energies.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable

import numpy as np


@functools.cache
def couple(j1: int, j2: int, j: int) -> np.ndarray:
    """<j1 m1 j2 m2 | j m> as [m1, m2, m], doubled j: by lowering the highest state, phases after Condon and Shortley."""

    def lower(j: int) -> np.ndarray:
        out = np.zeros((j + 1, j + 1))
        for k in range(1, j + 1):  # row k - 1 from column k, m = k - j / 2
            out[k - 1, k] = math.sqrt(k * (j - k + 1))
        return out

    minus = np.kron(lower(j1), np.eye(j2 + 1)) + np.kron(np.eye(j1 + 1), lower(j2))
    twice_m = np.add.outer(2 * np.arange(j1 + 1) - j1, 2 * np.arange(j2 + 1) - j2).ravel()
    space = np.flatnonzero(twice_m == j)
    raising = minus.T[:, space]
    _, values, vectors = np.linalg.svd(raising)  # the highest state is what cannot be raised
    assert len(values) < len(space) or values[len(space) - 1] < 1e-9
    state = np.zeros(len(twice_m))
    state[space] = vectors[len(space) - 1]
    first = state.reshape(j1 + 1, j2 + 1)[j1, (j - j1 + j2) // 2]
    state *= np.sign(first)
    out = np.zeros((j1 + 1, j2 + 1, j + 1))
    for k in range(j, -1, -1):
        out[:, :, k] = state.reshape(j1 + 1, j2 + 1)
        if k:
            state = minus @ state / math.sqrt(k * (j - k + 1))
    return out


def rotation(j: int, a: complex, b: complex) -> np.ndarray:
    """u of doubled j, [mb, ma]: coefficients of (a* - b* t)^(j - mb) (b + a t)^mb by convolution, normalised."""
    f = math.factorial
    out = np.zeros((j + 1, j + 1), complex)
    for mb in range(j + 1):
        powers = [[np.conj(a), -np.conj(b)]] * (j - mb) + [[b, a]] * mb
        row = functools.reduce(np.convolve, powers, np.array([1.0 + 0.0j]))
        out[mb] = [row[ma] * math.sqrt(f(ma) * f(j - ma) / (f(mb) * f(j - mb))) for ma in range(j + 1)]
    return out


def density(twojmax: int, vectors: np.ndarray, weights: np.ndarray, cuts: np.ndarray,
            rfac0: float = 0.99363) -> list[np.ndarray]:
    """u of one atom: unit matrices and the neighbours at these vectors."""
    out = [np.eye(j + 1, dtype=complex) for j in range(twojmax + 1)]
    for (x, y, z), weight, cut in zip(vectors, weights, cuts, strict=True):
        r = math.sqrt(x * x + y * y + z * z)
        if r >= cut:
            continue
        z0 = r / math.tan(rfac0 * math.pi * r / cut)
        r0 = math.sqrt(r * r + z0 * z0)
        share = weight * 0.5 * (1.0 + math.cos(math.pi * r / cut))
        for j in range(twojmax + 1):
            out[j] += share * rotation(j, (z0 - 1j * z) / r0, (y - 1j * x) / r0)
    return out


def components(u: list[np.ndarray]) -> np.ndarray:
    """B of one channel, in the order of coefficient files."""
    found = []
    for j1 in range(len(u)):
        for j2 in range(j1 + 1):
            for j in range(max(j1, j1 - j2), min(len(u) - 1, j1 + j2) + 1):
                if (j1 + j2 - j) % 2 == 0:
                    c = couple(j1, j2, j)
                    found.append(np.einsum("pqx,rsy,pr,qs,xy->", c, c, u[j1], u[j2], np.conj(u[j]), optimize=True).real)
    return np.array(found)


def energy(twojmax: int, beta: np.ndarray, x: np.ndarray, box: np.ndarray, cut: float) -> float:
    """Of one element of weight 1, in a periodic box with the edges `box`: E_i = beta_0 + beta B."""
    reach = [range(-math.ceil(cut / edge) - 1, math.ceil(cut / edge) + 2) for edge in box]
    images = np.array(list(itertools.product(*reach))) * box
    total = 0.0
    for xi in x:
        vectors = (x[None, :, :] + images[:, None, :]).reshape(-1, 3) - xi
        r = np.linalg.norm(vectors, axis=1)
        near = vectors[(r > 1e-9) & (r < cut)]
        u = density(twojmax, near, np.ones(len(near)), np.full(len(near), cut))
        total += beta[0] + float(beta[1:] @ components(u))
    return total


def slope(function: Callable[[float], float], h: float) -> float:
    """The derivative at 0, to the fourth order."""
    return (8.0 * (function(h) - function(-h)) - (function(2 * h) - function(-2 * h))) / (12.0 * h)

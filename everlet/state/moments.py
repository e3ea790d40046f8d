"""Sums over a set of atoms: mass, momentum, temperature, centre of mass, rotation.

All functions take host arrays of the atoms that count: `mass` (n,), `v` and unwrapped positions `x` (n, 3).
Sums run one atom after the other, as in the reference: a pairwise sum is more exact, but then velocities made by the
same script would differ in the last bit.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.state.box import Box

SMALL_MOMENT = 1e-6  # principal moments below this part of the largest one do not rotate (atoms on a line)


def total(values: np.ndarray) -> np.ndarray:
    """Sum over atoms (the first axis), in order."""
    if len(values) == 0:
        return np.zeros(values.shape[1:])
    return np.cumsum(values, axis=0)[-1]


def unwrapped(box: Box, x: np.ndarray, image: np.ndarray, at_once: bool = False) -> np.ndarray:
    """Positions (n, 3) as they would be without periodic boundaries: x + a ix + b iy + c iz.

    at_once: the sum of box vectors is added to x, not one after the other. Commands that move atoms for good do so in
    the reference, and streams that positions seed see the last bit.
    """
    xx, yy, zz, yz, xz, xy = box.h
    ix, iy, iz = image.T
    if at_once:
        return x + np.stack([xx * ix + xy * iy + xz * iz, yy * iy + yz * iz, zz * iz], axis=1)
    return np.stack([x[:, 0] + xx * ix + xy * iy + xz * iz, x[:, 1] + yy * iy + yz * iz, x[:, 2] + zz * iz], axis=1)


def mean(mass: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Mass-weighted mean of x (centre of mass) or v (its velocity)."""
    return total(values * mass[:, None]) / total(mass)


def temperature(mass: np.ndarray, v: np.ndarray, dof: float, mvv2e: float, boltz: float) -> float:
    """T = mvv2e sum m v^2 / (dof boltz); 0 when there is no degree of freedom."""
    squares = v[:, 0] * v[:, 0] + v[:, 1] * v[:, 1] + v[:, 2] * v[:, 2]
    return float(total(squares * mass) * (mvv2e / (dof * boltz))) if dof > 0 else 0.0


def angular_momentum(mass: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """L = sum m d x v,  d = x - centre of mass."""
    return total(np.cross(x - mean(mass, x), v) * mass[:, None])


def inertia(mass: np.ndarray, x: np.ndarray) -> np.ndarray:
    """I_ab = sum m (d^2 delta_ab - d_a d_b),  d = x - centre of mass."""
    d = x - mean(mass, x)
    second = np.einsum("i,ia,ib->ab", mass, d, d)
    return np.trace(second) * np.eye(3) - second


def angular_velocity(mass: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """omega with L = I omega. About an axis with no moment (all atoms on it) nothing can rotate: omega = 0 there."""
    tensor = inertia(mass, x)
    if not np.isfinite(tensor).all():
        raise InputError("the moments of inertia are no finite numbers", "check masses and positions")
    moments, axes = np.linalg.eigh(tensor)
    along = axes.T @ angular_momentum(mass, x, v)
    turns = moments > SMALL_MOMENT * moments.max()
    return axes @ np.divide(along, moments, out=np.zeros(3), where=turns)

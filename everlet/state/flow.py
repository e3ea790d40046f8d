"""How fast the box deforms while fix deform changes it: the flow that atoms are carried by."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.state.atoms import Atoms
from everlet.state.box import Box


def columns(h: np.ndarray) -> np.ndarray:
    """Six numbers in the order of Box.h (xx yy zz yz xz xy) as edge vectors, the rows of a matrix."""
    xx, yy, zz, yz, xz, xy = h
    return np.array([[xx, 0.0, 0.0], [xy, yy, 0.0], [xz, yz, zz]])


@dataclass
class Flow:
    """rates: of the shape, in the order of Box.h; low: of the low corner; carried: bits of the atoms whose velocity changes
    when they come in again on the other side (remap v), 0: of none."""

    rates: np.ndarray = field(default_factory=lambda: np.zeros(6))
    low: np.ndarray = field(default_factory=lambda: np.zeros(3))
    carried: int = 0

    def velocity(self, box: Box, x: np.ndarray) -> np.ndarray:
        """Of the flow at positions (n, 3)."""
        return box.to_fraction(x) @ columns(self.rates) + self.low

    def carry(self, atoms: Atoms, before: np.ndarray) -> None:
        """Atoms were wrapped; `before` are their image flags before that. Velocities stay the same within the flow."""
        crossed = atoms.read("image").astype(np.int64) - before
        rows = np.flatnonzero(crossed.any(axis=1) & ((atoms.read("mask") & self.carried) != 0))
        if len(rows):
            atoms.edit("v")[rows] -= crossed[rows] @ columns(self.rates)

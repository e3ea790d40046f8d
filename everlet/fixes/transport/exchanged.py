"""What fixes that swap velocities between two slabs have in common: Mueller-Plathe's reversed non-equilibrium method.

The box is cut into B slabs along an axis; atoms of slab 1 and of slab B/2 + 1 are looked at every N steps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from everlet.errors import InputError, integer, one_of
from everlet.fixes.base import Fix
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

AXES = ("x", "y", "z")
Key = Callable[[np.ndarray, np.ndarray], np.ndarray]  # masses and velocities of atoms -> who goes first: the least


class Exchanger(Fix):
    """Base; `total` is what was exchanged since the fix was made."""

    gives = Gives(scalar=INTENSIVE)
    reads, writes = ("x", "v", "mask", "type", "id"), ("v",)
    keeps = ("total",)

    def __init__(self, system: System, id: str, group: str, args: list[str], words: list[str]):
        super().__init__(system, id, group, args)
        self.every, bins = integer(args[0], "a number of steps"), integer(words[1], "a number of slabs")
        one_of("axis", words[0], AXES)
        if self.every < 1 or bins < 2 or bins % 2:
            raise InputError(f"fix {id}: {self.every} steps, {words[1]} slabs", "give 1 step or more, and slabs by twos")
        self.axis, self.bins, self.swaps, self.total = AXES.index(words[0]), bins, 1, 0.0
        if not system.need_box().periodic[self.axis]:
            raise InputError(f"fix {id}: the box is not periodic along {words[0]}", "use boundary p there")

    def chosen(self, key: Key, slab: int) -> list[tuple[float, int, float, np.ndarray]]:
        """The first `swaps` atoms of a slab on all ranks: key, id, mass and velocity, the least key first."""
        system, atoms, box = self.system, self.system.atoms, self.system.need_box()
        x = atoms.read("x")[:, self.axis].copy()
        low, length = float(box.lo[self.axis]), float(box.lengths[self.axis])
        x[x < low] += length
        x[x >= low + length] -= length
        place = np.minimum(((x - low) * (self.bins / length)).astype(np.int64), self.bins - 1)
        rows = np.flatnonzero((place == slab) & ((atoms.read("mask") & self.bit) != 0))
        m, v = system.masses_of()[rows], atoms.read("v")[rows]
        keys, ids = key(m, v), atoms.read("id")[rows]
        good = np.flatnonzero(np.isfinite(keys))
        first = good[np.argsort(keys[good], kind="stable")][: self.swaps]
        mine = [(float(keys[k]), int(ids[k]), float(m[k]), v[k].copy()) for k in first]
        return sorted((one for some in system.ranks.all_of(mine) for one in some), key=lambda one: one[0])[: self.swaps]

    def put(self, id: int, v: np.ndarray) -> None:
        """Give the atom of this id a new velocity, where it is."""
        rows = np.flatnonzero(self.system.atoms.read("id") == id)
        if len(rows):
            self.system.atoms.edit("v")[rows[0]] = v

    def scalar(self) -> float:
        return self.total

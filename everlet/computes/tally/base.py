"""What computes of pairs between two groups share. A pair counts if one atom is of the group and the other of GROUP2; each of
the two has half of what is the pair's. Only the pair style counts, no bonds and no long-range part."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute
from everlet.computes.peratom.stress_atom import PAIRS
from everlet.errors import InputError, arguments
from everlet.forces.pair.single import PairsNear
from everlet.state.system import System


class Tallied(Compute):
    """Base: compute ID group STYLE GROUP2."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "compute ID group STYLE GROUP2")
        self.other = system.groups.bit(args[0])

    def between(self) -> PairsNear:
        """The pairs, each from both sides."""
        if self.system.pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        found = PairsNear(self.system, f"compute {self.id}", both=True)
        mine, theirs = (found.masks & self.bit) != 0, (found.masks & self.other) != 0
        return found.only((mine[:, 0] & theirs[:, 1]) | (mine[:, 1] & theirs[:, 0]))

    def of_atoms(self, found: PairsNear, values: np.ndarray) -> np.ndarray:
        """Sums of values of pairs (m, columns) over those of each atom (n, columns)."""
        n = self.system.atoms.n
        return np.stack([np.bincount(found.rows, column, minlength=n) for column in values.T], axis=1)

    def forces(self) -> np.ndarray:
        """On each atom (n, 3)."""
        found = self.between()
        return self.of_atoms(found, found.values()[0][:, None] * found.d)

    def virials(self) -> np.ndarray:
        """Of each atom, energy (n, 6: xx yy zz xy xz yz)."""
        found = self.between()
        strength = 0.5 * found.values()[0]
        return self.of_atoms(found, np.stack([strength * found.d[:, a] * found.d[:, b] for a, b in PAIRS], axis=1))

    def energies(self) -> np.ndarray:
        """Of each atom, of the pair style and of its charges (n, 2)."""
        found = self.between()
        return self.of_atoms(found, 0.5 * found.parts()[:, 1:])

    def members(self, bit: int | np.int32) -> np.ndarray:
        return (self.system.atoms.read("mask") & bit) != 0

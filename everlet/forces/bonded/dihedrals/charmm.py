"""E = K [1 + cos(n phi - d)].   dihedral_coeff TYPE K n d (whole degrees) w

With w > 0 the pair energy of atoms 1 and 4 is added, times w: Lennard-Jones with epsilon14 and sigma14 of the pair style, and
Coulomb, without cutoff or switch (one_four.py).
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.pair.formulas import Values
from everlet.portable import cos, portable


@dihedral_style("charmm")
class Charmm(DihedralStyle):
    coeffs = ("k", "n", "d", "w")
    degrees = ("d",)
    whole = ("n", "d")
    example = {"k": 3.0, "n": 3.0, "d": 20.0, "w": 0.0}

    def table(self, k: float, n: float, d: float, w: float) -> Values:
        if n < 0 or not 0.0 <= w <= 1.0:
            raise InputError(f"dihedral style {self.name}: n is at least 0 and w from 0 to 1, found {n:g} and {w:g}",
                             "correct them")
        return {"k": k, "n": n, "d": d}

    def weights(self, types: list[int]) -> np.ndarray:
        found = np.zeros(self.system.topology.types["dihedral"] + 1)
        for type in types:
            found[type] = self.given[type]["w"]
        return found

    @portable
    def energy(phi, p):
        return p.k * (1.0 + cos(p.n * phi - p.d))

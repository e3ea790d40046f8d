"""E = K [1 + cos(n theta - theta0)], and the van der Waals part of atoms 1 and 3.   angle_coeff TYPE K n theta0 (degrees)

Of the force field MOF-FF: the part of atoms 1 and 3 is that of pair style buck6d/coul/gauss/… (bonded/one_four.py), counts as
evdwl, and takes the place of the pair's own: special_bonds lj must leave out pairs two bonds apart.
"""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError
from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.forces.pair.formulas import Values
from everlet.portable import cos, portable


@angle_style("cosine/buck6d")
class CosineBuck6d(AngleStyle):
    coeffs = {"k": 2.0, "n": 4, "theta0": 180.0}

    def table(self, k: float, n: float, theta0: float) -> Values:
        if n < 1 or n != int(n):
            raise InputError(f"angle style cosine/buck6d: n is a whole number, 1 or more, found {n:g}", "correct it")
        return {"k": k, "n": n, "theta0": math.radians(theta0)}

    @portable
    def energy(theta, p):
        return p.k * (1.0 + cos(p.n * theta - p.theta0))

    def weights(self, types: list[int]) -> np.ndarray:
        special = self.system.topology.special
        if special.lj[1] != 0.0:
            raise InputError(f"angle style {self.name} computes the van der Waals part of atoms 1 and 3, and so does the pair "
                             "style with the present factors", "use special_bonds lj X 0 X")
        found = np.zeros(self.system.topology.types["angle"] + 1)
        found[types] = 1.0
        return found

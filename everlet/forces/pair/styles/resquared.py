"""Ellipsoids made of small particles that attract each other: the RE-squared potential."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.pair import resquared_loops
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.schemes.own import torque_of
from everlet.forces.pair.shaped import WELLS, Shaped, well
from everlet.state.atoms import Atoms


@pair_style("resquared")
class ReSquared(Shaped):
    """U = -A/36 (1 + 3 eta chi sigma/h) P(2) + A/2025 (sigma/h)^6 (1 + 45/56 eta chi sigma/h) P(60^1/3) for r < r_c,

    P(p): product of a/(a + h/p) over the half axes of both; h = r - (n.G^-1.n/2)^-1/2, chi = 2 n.B^-1.n, G and B: sums of
    squared half axes and of wells in space; eta = (D_i/s_i^2 + D_j/s_j^2) [(s_i + s_j)/det H]^1/2, D = a b c,
    s = (n.S^-2.n)^-1/2, H = S_i^2/s_i + S_j^2/s_j. A sphere, which has no shape, is a particle of diameter sigma: with
    h = r - (n.(S + sigma/2)^-2.n)^-1/2 it is A/(6 pi) times -(sigma/h)^3 (1 + 3 chi sigma/h) P(2)
    + 2/15 (sigma/h)^9 (1 + 45/56 chi sigma/h) P(60^1/3), two spheres 4 A [(sigma/r)^12 - (sigma/r)^6].

    pair_style resquared r_c
    pair_coeff I J A sigma e_ia e_ib e_ic e_ja e_jb e_jc [r_c]     A: energy; wells belong to types I and J; 0 0 0 leaves them
    """

    loop = resquared_loops.resquared_loop
    mixable = False
    settings = {"cut": length}
    coeffs = {"epsilon": energy, "sigma": length, **dict.fromkeys(WELLS, well)}

    def each_type(self, shapes: np.ndarray, wells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.concatenate([shapes, wells], axis=1), shapes[:, 0] == 0.0

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        return atoms.view("quat"), torque_of(atoms), self.each.view

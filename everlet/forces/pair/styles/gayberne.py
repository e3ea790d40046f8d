"""Ellipsoids that attract each other: Gay and Berne's potential for any shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair import ellipsoid_loops
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.quantities import number as plain
from everlet.forces.pair.schemes.own import OwnStyle, torque_of
from everlet.forces.pair.shaped import WELLS, Shaped, well
from everlet.state.atom_styles import need_field
from everlet.state.atoms import Atoms


@pair_style("gayberne")
class GayBerne(Shaped):
    """U = 4 eps [(sigma/h)^12 - (sigma/h)^6] eta chi for r < r_c, h = r - (n.G^-1.n/2)^-1/2 + gamma sigma,

    eta = (2 l_i l_j/det G)^(upsilon/2), chi = (2 n.B^-1.n)^mu; G and B: sums over both of squared half axes, and of wells
    e^-1/mu, in space; l = (a b + c^2) sqrt(a b). Two spheres without wells: 4 eps [(sigma/r)^12 - (sigma/r)^6]. Torques are
    slopes of the energy; those of the reference between an ellipsoid and a sphere are not, unless mu is 1.

    pair_style gayberne gamma upsilon mu r_c
    pair_coeff I J eps sigma e_ia e_ib e_ic e_ja e_jb e_jc [r_c]     wells belong to types I and J; 0 0 0 leaves them
    """

    loop = ellipsoid_loops.gayberne_loop
    settings = {"gamma": plain, "upsilon": plain, "mu": plain, "cut": length}
    coeffs = {"epsilon": energy, "sigma": length, **dict.fromkeys(WELLS, well)}

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        if self.setting["mu"] <= 0.0:
            raise InputError(f"pair style {self.name}: mu {self.setting['mu']:g}", "give a number above zero")

    def mix(self, a: Values, b: Values) -> Values:
        return super().mix(a, b) | dict.fromkeys(WELLS, 0.0)

    def mix_rules(self) -> dict[str, str | None]:
        return {name: "mean" if name in WELLS else rule for name, rule in super().mix_rules().items()}

    def each_type(self, shapes: np.ndarray, wells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shapes = np.where(shapes > 0.0, shapes, 1.0)
        a, b, c = shapes.T
        sizes = (a * b + c * c) * np.sqrt(a * b)
        numbers = np.concatenate([shapes**2, wells ** (-1.0 / self.setting["mu"]), sizes[:, None]], axis=1)
        return numbers, (shapes == shapes[:, :1]).all(axis=1) & (wells == 1.0).all(axis=1)

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        return (atoms.view("quat"), torque_of(atoms), self.each.view, self.setting["gamma"], self.setting["upsilon"],
                self.setting["mu"])


@pair_style("ylz")
class YLZ(OwnStyle):
    """Particles that form membranes (Yuan, Li and Zhang): n is the first axis of a frame, n_ij goes from i to j,

    a = n_i.n_j + (beta - n_i.n_ij)(beta + n_j.n_ij) - 2 beta^2, phi = 1 + mu (a - 1), r_m = 2^(1/6) sigma;
    E = eps [(r_m/r)^4 - 2 (r_m/r)^2 + 1 - phi] for r < r_m, -eps phi cos^(2 zeta)[pi/2 (r - r_m)/(r_c - r_m)] up to r_c.

    pair_style ylz r_c
    pair_coeff I J eps sigma zeta mu beta [r_c]         eps: energy, sigma: length
    """

    loop = ellipsoid_loops.ylz_loop
    mixable = False
    coeffs = {"epsilon": energy, "sigma": length, "zeta": plain, "mu": plain, "beta": plain}

    def table(self, epsilon: float, sigma: float, zeta: float, mu: float, beta: float, cut: float) -> dict[str, float]:
        lowest = 2.0 ** (1.0 / 6.0) * sigma
        if not 0.0 < lowest < cut and cut:
            raise InputError(f"pair style ylz: sigma {sigma:g} and a cutoff of {cut:g}", "the cutoff is beyond 2^(1/6) sigma")
        return {"epsilon": epsilon, "lowest": lowest, "reach": cut, "zeta": zeta, "mu": mu, "beta": beta}

    def init(self) -> None:
        for name in ("quat", "torque"):
            need_field(self.system.atoms, name, f"pair style {self.name}")
        super().init()

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        return atoms.view("quat"), torque_of(atoms)

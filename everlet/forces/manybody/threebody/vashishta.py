"""Vashishta: steric repulsion, screened charges, charge-dipole and van der Waals attraction, and angles.

E = sum_{i<j} [U(r) - U(r_c) - (r - r_c) U'(r_c)],  U = H/r^eta + C Z_i Z_j exp(-r/lambda1)/r - D exp(-r/lambda4)/r^4 - W/r^6
  + sum_i sum_{j<k} B h^2/(1 + C h^2) exp(gamma/(r_ij - r0)) exp(gamma/(r_ik - r0)),  h = cos theta - cos theta0

    pair_style vashishta    pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none

Entries of a file: three elements, H eta Zi Zj lambda1 D lambda4 W rc B gamma r0 C cos_theta0. Terms of pairs, gamma and r0 are
those of (i, j, j); B, C and cos_theta0 of an angle those of (i, j, k).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.manybody.threebody.base import ThreeBodyStyle, Values
from everlet.forces.manybody.threebody.sw import StillingerWeber
from everlet.forces.pair.base import pair_style
from everlet.portable import exp, log, portable, where


@portable
def of_pairs(r, u, du, zeta, p):
    one = 1.0 / r
    fourth = one * one * one * one
    steric = p.h * exp(-p.eta * log(r))
    screened = p.charge * one * exp(-r * p.near)
    dipole = p.d * fourth * exp(-r * p.far)
    waals = p.w * fourth * one * one
    energy = steric + screened - dipole - waals - p.level - (r - p.cut) * p.slope
    slope = (-p.eta * steric * one - screened * (p.near + one) + dipole * (p.far + 4.0 * one) + 6.0 * waals * one) - p.slope
    inside = r < p.cut
    return 0.5 * where(inside, energy, 0.0) + 0.5 * zeta, 0.5 * where(inside, slope, 0.0), 0.5 + 0.0 * zeta


def shifted(r: Any, p: Values) -> tuple[Any, Any]:
    """The energy of pairs at distances r, less level and slope at the cutoff, and its slope: for the host."""
    steric, screened = p["h"] * r ** -p["eta"], p["charge"] * np.exp(-r * p["near"]) / r
    dipole, waals = p["d"] * np.exp(-r * p["far"]) / r**4, p["w"] / r**6
    slope = -p["eta"] * steric / r - screened * (p["near"] + 1.0 / r) + dipole * (p["far"] + 4.0 / r) + 6.0 * waals / r
    energy = steric + screened - dipole - waals - p["level"] - (r - p["cut"]) * p["slope"]
    return energy, slope - p["slope"]


@pair_style("vashishta")
class Vashishta(ThreeBodyStyle):
    columns = ("H", "eta", "Zi", "Zj", "lambda1", "D", "lambda4", "W", "rc", "B", "gamma", "r0", "C", "cos_theta0")
    energies = ("H", "D", "W", "B")
    linear = symmetric = fading = True

    def check(self, values: Values) -> str:
        for name in ("lambda1", "lambda4", "rc", "gamma", "r0", "B"):
            if values[name] < 0.0:
                return f"{name} is {values[name]:g}, and must be 0 or more"
        return ""

    def cutoff(self, values: Values) -> float:
        return max(values["rc"], values["r0"])

    def derive(self, values: Values) -> Values:
        v = values
        charge = v["Zi"] * v["Zj"] * self.system.qqr2e
        near, far = (1.0 / v[name] if v[name] > 0.0 else 0.0 for name in ("lambda1", "lambda4"))
        made = {"h": v["H"], "eta": v["eta"], "charge": charge, "near": near, "d": v["D"], "far": far, "w": v["W"],
                "cut": v["rc"], "level": 0.0, "slope": 0.0, "b": v["B"], "c": v["C"], "cosine": v["cos_theta0"],
                "decay": v["gamma"], "reach": v["r0"]}
        if v["rc"] > 0.0:
            made["level"], made["slope"] = (float(value) for value in shifted(v["rc"], made))
        return made

    arm = StillingerWeber.arm  # exp(gamma / (r - r0)) is that of sw

    @portable
    def angle(r, u, du, s, v, dv, c, p):
        off = c - p.cosine
        inverse = 1.0 / (1.0 + p.c * off * off)
        height = p.b * off * off * inverse
        return height * u * v, height * du * v, height * u * dv, 2.0 * p.b * off * inverse * inverse * u * v

    bond = of_pairs

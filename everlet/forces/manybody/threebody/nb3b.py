"""Angles between neighbours that no list of bonds names.

E = sum_i sum_{j<k} K (theta_jik - theta0)^2                                        nb3b/harmonic
E = sum_i sum_{j<k} K (theta_jik - theta0)^2 exp(-r_ij / rho_ij - r_ik / rho_ik)    nb3b/screened

    pair_style nb3b/harmonic    pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none
    pair_style nb3b/screened    the same

for neighbours within their cutoffs. Entries of a file: three elements, the first that of i, K theta0 (degrees) [rho] cutoff.
The cutoff and rho of a pair are those of (i, j, j), K and theta0 of an angle those of (i, j, k). K = 0: there is none.
"""

from __future__ import annotations

import math

from everlet.forces.manybody.threebody.base import ThreeBodyStyle, Values
from everlet.forces.pair.base import pair_style
from everlet.portable import acos, exp, most, portable, sqrt, where

SMALL = 1e-3  # sines are taken as this at least


class Angles(ThreeBodyStyle):
    energies = ("K",)
    linear = symmetric = fading = True

    def check(self, values: Values) -> str:
        for name in ("K", "rho", "cutoff"):
            if values.get(name, 0.0) < 0.0:
                return f"{name} is {values[name]:g}, and must be 0 or more"
        return ""

    def cutoff(self, values: Values) -> float:
        return values["cutoff"]

    def derive(self, values: Values) -> Values:
        decay = 1.0 / values["rho"] if values.get("rho", 0.0) > 0.0 else 0.0
        return {"strength": values["K"], "theta": math.radians(values["theta0"]), "decay": decay, "reach": values["cutoff"]}

    @portable
    def arm(r, p):
        value = where(r < p.reach, exp(-p.decay * r), 0.0)
        return value, -p.decay * value

    @portable
    def angle(r, u, du, s, v, dv, c, p):
        off = acos(c) - p.theta
        height = p.strength * off * off
        sine = most(sqrt(most(1.0 - c * c, 0.0)), SMALL)
        return height * u * v, height * du * v, height * u * dv, -2.0 * p.strength * off * u * v / sine

    @portable
    def bond(r, u, du, zeta, p):
        return 0.5 * zeta, 0.0 * zeta, 0.5 + 0.0 * zeta


@pair_style("nb3b/harmonic")
class HarmonicAngles(Angles):
    columns = ("K", "theta0", "cutoff")


@pair_style("nb3b/screened")
class ScreenedAngles(Angles):
    columns = ("K", "theta0", "rho", "cutoff")

"""E = K (chi - chi0)^2 + M1 D1 D3 + M2 D1 D2 + M3 D2 D3: chi is the mean angle of an arm of atom 2 out of the plane of the
others; D1, D2, D3 are the angles of arms 1 and 3, 1 and 4, 3 and 4 less theta1, theta2, theta3.

    improper_coeff TYPE K chi0 (degrees)
    improper_coeff TYPE aa M1 M2 M3 theta1 theta2 theta3 (degrees)
"""

from __future__ import annotations

from everlet.forces.bonded.base import ImproperStyle, improper_style
from everlet.portable import portable


@improper_style("class2")
class Class2(ImproperStyle):
    coeffs = ("k", "chi0")
    parts = {"aa": ("m1", "m2", "m3", "theta1", "theta2", "theta3")}
    degrees = ("chi0", "aa_theta1", "aa_theta2", "aa_theta3")
    example = {"k": 20.0, "chi0": 5.0, "aa_m1": 3.0, "aa_m2": -2.0, "aa_theta1": 110.0, "aa_theta2": 115.0, "aa_theta3": 105.0}

    @portable
    def energy(chi, uv, uw, vw, p):
        d1 = uv - p.aa_theta1
        d2 = uw - p.aa_theta2
        d3 = vw - p.aa_theta3
        return p.k * (chi - p.chi0) ** 2 + p.aa_m1 * d1 * d3 + p.aa_m2 * d1 * d2 + p.aa_m3 * d2 * d3

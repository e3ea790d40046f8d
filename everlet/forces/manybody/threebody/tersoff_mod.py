"""Tersoff potential with the modified switching, angles and bond order of Kumagai and others (2007).

    pair_style tersoff/mod [shift d]      pair_coeff * * FILE El1 El2 …
    pair_style tersoff/mod/c [shift d]    the same, with a constant c0 beside the repulsion of each bond: fC (A exp + c0)

fC = 1/2 - 9/16 sin x - 1/16 sin 3x,  x = pi/2 (r - R)/D;   b = (1 + (beta_ters zeta)^eta)^(-1/2n)
g = c1 + c2 h^2/(c3 + h^2) (1 + c4 exp(-c5 h^2)),  h = cos0 - cos theta;   zeta has exp[(alpha (r_ij - r_ik))^beta]

Entries of a file: three elements, beta alpha h eta beta_ters lambda2 B R D lambda1 A n c1 c2 c3 c4 c5, and c0.
"""

from __future__ import annotations

from typing import ClassVar

from everlet.forces.manybody.threebody.base import Values
from everlet.forces.manybody.threebody.tersoff import TersoffLike, angle_of, order, turned
from everlet.forces.pair.base import pair_style
from everlet.portable import cos, exp, portable, sin, where


@portable
def smooth_switch(r, p):
    x, between = turned(r, p)
    slope = -p.steep * (0.5625 * cos(x) + 0.1875 * cos(3.0 * x))
    return 0.5 - 0.5625 * sin(x) - 0.0625 * sin(3.0 * x), where(between, slope, 0.0)


@portable
def bending(c, p):
    h = p.cosine - c
    h2 = h * h
    inverse = 1.0 / (p.c3 + h2)
    outer, decay = p.c2 * h2 * inverse, p.c4 * exp(-p.c5 * h2)
    slope = 2.0 * p.c2 * p.c3 * h * inverse * inverse * (1.0 + decay) - 2.0 * p.c5 * h * outer * decay
    return p.c1 + outer * (1.0 + decay), -slope


@pair_style("tersoff/mod")
class TersoffMod(TersoffLike):
    columns: ClassVar[tuple[str, ...]] = ("beta", "alpha", "h", "eta", "beta_ters", "lambda2", "B", "R", "D", "lambda1", "A",
                                          "n", "c1", "c2", "c3", "c4", "c5")
    energies: ClassVar[tuple[str, ...]] = ("A", "B")

    def check(self, values: Values) -> str:
        if values["beta"] not in (1.0, 3.0):
            return f"beta is {values['beta']:g}, and must be 1 or 3"
        if values["n"] == 0.0 or values["eta"] <= 0.0:
            return "n and eta must be more than 0"
        return super().check(values)

    def derive(self, values: Values) -> Values:
        v = values
        return {**self.switching(v), "lambda3": v["alpha"], "m": v["beta"], "cosine": v["h"], "c1": v["c1"], "c2": v["c2"],
                "c3": v["c3"], "c4": v["c4"], "c5": v["c5"], "n": v["eta"], "beta": v["beta_ters"], "root": -0.5 / v["n"],
                "least": (2.0 * v["n"] * 1e-16) ** (1.0 / v["eta"])}

    arm, angle = smooth_switch, angle_of(bending, smooth_switch)


@pair_style("tersoff/mod/c")
class TersoffModC(TersoffMod):
    columns = (*TersoffMod.columns, "c0")
    energies = ("A", "B", "c0")

    def derive(self, values: Values) -> Values:
        return {**super().derive(values), "c0": values["c0"]}

    @portable
    def bond(r, u, du, zeta, p):
        b, db = order(zeta, p)
        repel, attract = p.a * exp(p.lambda1 * (p.near - r)), p.b * exp(p.lambda2 * (p.near - r))
        inner = repel - b * attract + p.c0
        slope = du * inner + u * (p.lambda2 * b * attract - p.lambda1 * repel)
        return 0.5 * u * inner, 0.5 * slope, -0.5 * u * attract * db

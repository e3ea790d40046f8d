"""Tersoff potentials: bonds that weaken with the number of their neighbours.

E = 1/2 sum_ij fC(r) [A exp(-lambda1 r) - b B exp(-lambda2 r)],  b = (1 + (beta zeta)^n)^(-1/2n)
zeta_ij = sum_k fC(r_ik) g(cos theta) exp[(lambda3 (r_ij - r_ik))^m],  g = gamma (1 + c^2/d^2 - c^2/(d^2 + (cos - cos0)^2))
fC = 1 below R - D, 0 beyond R + D, between them 1/2 - 1/2 sin(pi/2 (r - R)/D)

    pair_style tersoff [shift d]        pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none
    pair_style tersoff/zbl [shift d]    at short distance the universal repulsion of nuclei (of r + d as well)

Entries of a file: three elements, m gamma lambda3 c d cos0 n beta lambda2 B R D lambda1 A (zbl: Z_i Z_j r_C A_F as well). A, B,
lambda1, lambda2, n, beta are those of (i, j, j), the rest those of (i, j, k). With `shift d` every r above is r + d.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from everlet.errors import InputError, arguments, number
from everlet.forces.manybody.threebody.base import ThreeBodyStyle, Values
from everlet.forces.pair.base import pair_style
from everlet.portable import both, cos, exp, least, log, most, portable, sin, where

LARGEST = 69.0776  # of an exponent
RIGHT_ANGLE = 1.57079632679489661923
BOHR, VACUUM = 0.529, 0.00552635  # in Angstrom, and e^2 / (eV Angstrom), as the published code has them
KCAL = 0.043365121  # eV


@portable
def turned(r, p):
    """pi/2 (r - R)/D, not beyond a right angle, and whether it was inside."""
    x = (r - p.near) * p.turn + p.before
    between = both(x > -RIGHT_ANGLE, x < RIGHT_ANGLE)
    return most(least(x, RIGHT_ANGLE), -RIGHT_ANGLE), between


@portable
def switch(r, p):
    """fC and its slope."""
    x, between = turned(r, p)
    return 0.5 - 0.5 * sin(x), where(between, -0.5 * p.steep * cos(x), 0.0)


@portable
def stretch(r, s, p):
    """exp[(lambda3 (r - s))^m] and its slope with r."""
    x = p.lambda3 * (r - s)
    cubic = p.m > 2.0
    e = exp(most(least(where(cubic, x * x * x, x), LARGEST), -LARGEST))
    return e, p.lambda3 * where(cubic, 3.0 * x * x, 1.0) * e


@portable
def order(zeta, p):
    """b = (1 + (beta zeta)^n)^(-1/2n) and its slope, without overflow and without 0/0."""
    x = p.beta * zeta
    some = x > p.least
    power = p.n * log(where(some, x, 1.0))
    t = exp(least(power, 40.0))  # float32 has it too, and 1 + t is t for float64
    b = exp(where(power > 40.0, power, log(1.0 + t)) * p.root)
    slope = p.n * p.root * b * (t / (1.0 + t)) / where(some, zeta, 1.0)
    return where(some, b, 1.0), where(some, slope, 0.0)


@portable
def along_angle(g, dg, fc, dfc, r, s, p):
    """G = fC(s) g(c) exp(…) and its slopes with r, s and c."""
    e, de = stretch(r, s, p)
    return fc * g * e, fc * g * de, g * (dfc * e - fc * de), fc * dg * e


def angle_of(bending: Any, switch: Any) -> Any:
    """An angle's part of the bond order, of a bending energy g(c) and a cutoff fC(s)."""
    @portable
    def angle(r, u, du, s, v, dv, c, p):
        g, dg = bending(c, p)
        fc, dfc = switch(s, p)
        return along_angle(g, dg, fc, dfc, r, s, p)

    return angle


@portable
def bending(c, p):
    """g and its slope; c^2/d^2 is so large in some files that 1 would be lost in a difference of two terms with it."""
    h = p.cosine - c
    h2 = h * h
    inverse = 1.0 / (p.d2 + h2)
    rise = p.ratio * inverse
    return p.gamma * (1.0 + rise * h2), -2.0 * p.gamma * p.d2 * rise * h * inverse


def bond_of(order: Any) -> Any:
    """The energy of a bond, of its order b(zeta)."""
    @portable
    def bond(r, u, du, zeta, p):
        b, db = order(zeta, p)
        repel, attract = p.a * exp(p.lambda1 * (p.near - r)), p.b * exp(p.lambda2 * (p.near - r))
        inner = repel - b * attract
        slope = du * inner + u * (p.lambda2 * b * attract - p.lambda1 * repel)
        return 0.5 * u * inner, 0.5 * slope, -0.5 * u * attract * db

    return bond


class TersoffLike(ThreeBodyStyle):
    """What the members of the family share: a cutoff R, D for each triple, and `shift`."""

    def configure(self, args: list[str]) -> None:
        usage = f"pair_style {self.name} [shift d]"
        arguments(args, 0, 2, usage)
        if args and (args[0] != "shift" or len(args) != 2):
            raise InputError(f"unknown option '{args[0]}'", f"usage: {usage}")
        self.shift_by = number(args[1], "a shift") if args else 0.0
        self.args, self.setting = list(args), {}

    def check(self, values: Values) -> str:
        for name in ("lambda2", "B", "R", "D", "lambda1", "A", "n"):
            if values[name] < 0.0:
                return f"{name} is {values[name]:g}, and must be 0 or more"
        if values["R"] < values["D"]:
            return f"R is {values['R']:g}, less than D, {values['D']:g}"
        return ""

    def cutoff(self, values: Values) -> float:
        return max(values["R"] + values["D"] - self.shift_by, 0.0)

    def pair_cutoff(self, a: str, b: str) -> float:
        """An atom may be too far for a bond and still weaken another one."""
        return max(self.cutoff(values) for (i, j, k), values in self.triples.items() if i == a and k == b)

    def switching(self, values: Values) -> Values:
        """fC of r + d, and the two exponentials with it: all of r - near, where near is about the length of a bond.

        near is a multiple of 1/8, so that float32 has the difference to the last digit of r, and exponents are small.
        """
        v, d = values, self.shift_by
        near = round(8.0 * (0.8 * v["R"] - d)) / 8.0
        turn = 0.5 * math.pi / v["D"] if v["D"] > 0.0 else 1e30
        return {"near": near, "turn": turn, "before": (near + d - v["R"]) * turn, "steep": turn if v["D"] > 0.0 else 0.0,
                "a": v["A"] * math.exp(-v["lambda1"] * (near + d)), "lambda1": v["lambda1"],
                "b": v["B"] * math.exp(-v["lambda2"] * (near + d)), "lambda2": v["lambda2"]}

    bond = bond_of(order)


@pair_style("tersoff")
class Tersoff(TersoffLike):
    columns: ClassVar[tuple[str, ...]] = ("m", "gamma", "lambda3", "c", "d", "cos0", "n", "beta", "lambda2", "B", "R", "D",
                                          "lambda1", "A")
    energies = ("A", "B")

    def check(self, values: Values) -> str:
        if values["m"] not in (1.0, 3.0):
            return f"m is {values['m']:g}, and must be 1 or 3"
        for name in ("c", "d", "beta", "gamma"):
            if values[name] < 0.0:
                return f"{name} is {values[name]:g}, and must be 0 or more"
        return super().check(values)

    def derive(self, values: Values) -> Values:
        v = values
        n = v["n"] or 1.0
        return {**self.switching(v), "lambda3": v["lambda3"], "m": v["m"], "gamma": v["gamma"], "d2": v["d"] ** 2 or 1.0,
                "ratio": (v["c"] / v["d"]) ** 2 if v["d"] else 0.0, "cosine": v["cos0"], "n": n,
                "beta": v["beta"], "root": -0.5 / n, "least": (2.0 * n * 1e-16) ** (1.0 / n)}

    arm, angle = switch, angle_of(bending, switch)


@portable
def nuclei(r, p):
    """The universal repulsion of nuclei and its slope."""
    x = r * p.inverse_a
    e1, e2 = 0.1818 * exp(-3.2 * x), 0.5099 * exp(-0.9423 * x)
    e3, e4 = 0.2802 * exp(-0.4029 * x), 0.02817 * exp(-0.2016 * x)
    energy = p.charges * (e1 + e2 + e3 + e4) / r
    slope = -p.charges * p.inverse_a * (3.2 * e1 + 0.9423 * e2 + 0.4029 * e3 + 0.2016 * e4) / r
    return energy, slope - energy / r


def near_bond_of(order: Any) -> Any:
    """The same with the repulsion of nuclei."""
    @portable
    def bond(r, u, du, zeta, p):
        e = exp(most(least(p.rate * (p.middle_f - r), LARGEST), -LARGEST))
        fermi = 1.0 / (1.0 + e)
        rest = e * fermi  # 1 - fermi
        rise = p.rate * fermi * rest
        z, dz = nuclei(r + p.shift, p)
        b, db = order(zeta, p)
        repel, attract = p.a * exp(p.lambda1 * (p.near - r)), p.b * exp(p.lambda2 * (p.near - r))
        inner = u * (repel - b * attract)
        slope = du * (repel - b * attract) + u * (p.lambda2 * b * attract - p.lambda1 * repel)
        inside = u > 0.0
        energy = where(inside, rest * z, 0.0) + fermi * inner
        along = where(inside, rest * dz - rise * z, 0.0) + rise * inner + fermi * slope
        return 0.5 * energy, 0.5 * along, -0.5 * fermi * u * attract * db

    return bond


@pair_style("tersoff/zbl")
class TersoffZbl(Tersoff):
    columns = (*Tersoff.columns, "Z_i", "Z_j", "r_C", "A_F")

    def derive(self, values: Values) -> Values:
        if self.system.units.name not in ("metal", "real"):
            raise InputError(f"pair style {self.name} in units {self.system.units.name}", "use units metal or real")
        vacuum = VACUUM * (1.0 if self.system.units.name == "metal" else KCAL)
        v = values
        length = 0.8854 * BOHR / (v["Z_i"] ** 0.23 + v["Z_j"] ** 0.23) if v["Z_i"] + v["Z_j"] > 0.0 else 1.0
        return {**super().derive(v), "inverse_a": 1.0 / length, "charges": v["Z_i"] * v["Z_j"] / (4.0 * math.pi * vacuum),
                "shift": self.shift_by, "middle_f": v["r_C"] - self.shift_by, "rate": v["A_F"]}

    bond = near_bond_of(order)

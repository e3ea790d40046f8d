"""Ziegler-Biersack-Littmark: the universal screened repulsion of nuclei."""

import math

from everlet.errors import InputError
from everlet.errors import number as read
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.inner import ending
from everlet.forces.pair.quantities import length, number
from everlet.portable import exp, portable, sqrt, where

# phi(x) = sum of c exp(-d x); x = r / a, a = SCREENING Angstrom / (Z_i^POWER + Z_j^POWER)
TERMS = ((0.02817, 0.20162), (0.28022, 0.40290), (0.50986, 0.94229), (0.18175, 3.19980))
SCREENING, POWER = 0.46850, 0.23


@pair_style("zbl")
class Zbl(PairStyle):
    """E = Z_i Z_j e^2 phi(r/a) / r + S(r) for r < outer, with S = C, from inner on S = C + A t^3/3 + B t^4/4, t = r - inner.

    pair_style zbl inner outer                inner, outer: length; E, its slope and its curvature are zero at outer
    pair_coeff I J Z_i Z_j [outer]            nuclear charges; those of unlike types follow from like ones
    """

    coeffs = {"Z_i": number, "Z_j": number}
    settings = {"inner": length, "cut": length}
    mixing = {"Z_i": "charge", "Z_j": "charge"}
    shiftable, whole = False, True
    example = {"Z_i": 14.0, "Z_j": 14.0, "inner": 1.5}

    def coeff(self, args: list[str]) -> None:
        like = len(args) > 3 and any(i == j for i, j in self.type_pairs(args[0], args[1]))
        if like and read(args[2], "a charge") != read(args[3], "a charge"):
            raise InputError(f"pair_coeff {' '.join(args)}: two charges for one type", "give the same twice")
        super().coeff(args)

    def mix(self, a: Values, b: Values) -> Values:
        return {"Z_i": a["Z_i"], "Z_j": b["Z_j"]}

    @property
    def cut_words(self) -> tuple[str, ...]:
        return ()

    def table(self, Z_i: float, Z_j: float, cut: float) -> Values:
        units, inner = self.system.units, self.setting["inner"]
        if not 0.0 <= inner < cut:
            raise InputError(f"pair style zbl is switched off from {inner:g} to {cut:g}", "give 0 <= inner < outer")
        if Z_i < 0.0 or Z_j < 0.0:
            raise InputError(f"nuclear charges cannot be negative: {Z_i:g} and {Z_j:g}", "give atomic numbers")
        inverse_a = (Z_i**POWER + Z_j**POWER) / (SCREENING * units.angstrom)
        charges = self.system.qqr2e * units.qelectron**2 * Z_i * Z_j
        rates = [(charges * c, d * inverse_a) for c, d in TERMS]
        # the energy at the cutoff and its first two derivatives
        phi = [sum(c * (-d) ** k * math.exp(-d * cut) for c, d in rates) for k in range(3)]
        e0 = phi[0] / cut
        e1 = (phi[1] - e0) / cut
        e2 = (phi[2] - 2.0 * e1) / cut
        a, b, constant = ending(e0, e1, e2, cut - inner)
        out = {"inner": inner, "a": a, "b": b, "constant": constant}
        for k, (c, d) in enumerate(rates, 1):
            out |= {f"c{k}": c, f"d{k}": d}
        return out

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        e1, e2 = p.c1 * exp(-p.d1 * r), p.c2 * exp(-p.d2 * r)
        e3, e4 = p.c3 * exp(-p.d3 * r), p.c4 * exp(-p.d4 * r)
        bare = (e1 + e2 + e3 + e4) / r
        slope = -(p.d1 * e1 + p.d2 * e2 + p.d3 * e3 + p.d4 * e4 + bare) / r
        t = where(r > p.inner, r - p.inner, 0.0)
        slope += t * t * (p.a + p.b * t)
        return -slope / r, bare + p.constant + t * t * t * (p.a / 3.0 + p.b / 4.0 * t)

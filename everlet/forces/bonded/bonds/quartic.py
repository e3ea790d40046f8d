"""E = K (r - R)^2 (r - R - a) (r - R - b) + U + 4 [(1/r)^12 - (1/r)^6] + 1, the latter for r < 2^(1/6); none beyond r = R.

    bond_coeff TYPE K a b R U

A bond that is longer than R breaks for good: its type is 0 from then on. Atoms of whole bonds have no pair force
(breaking.py), those of broken ones have: use special_bonds lj/coul 1 1 1, and no angles, dihedrals or impropers.
"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.springs import core
from everlet.forces.pair.formulas import Values
from everlet.portable import portable, where


@bond_style("quartic")
class Quartic(BondStyle):
    coeffs = {"k": 1200.0, "a": -0.55, "b": 0.25, "r0": 1.3, "u": 34.6878}
    breaks = True

    def table(self, k: float, a: float, b: float, r0: float, u: float) -> Values:
        if r0 <= 0.0:
            raise InputError(f"bond style quartic: bonds break at a length above 0, found {r0:g}",
                             "usage: bond_coeff TYPE K a b R U")
        return {"k": k, "a": a, "b": b, "r0": r0, "u": u, "core": 1.0}

    def rest(self, type: int) -> float:
        return 0.97

    def longest(self, types: list[int]) -> dict[int, float]:
        return {type: self.given[type]["r0"] for type in types}

    @portable
    def energy(r, p):
        x = r - p.r0
        return where(x > 0.0, 0.0, p.k * x * x * (x - p.a) * (x - p.b) + p.u + p.core * core(1.0 / (r * r)))

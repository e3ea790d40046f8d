"""No force; forces/bonded/zero.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.zero import Zero


@bond_style("zero")
class ZeroBond(Zero, BondStyle):
    coeffs = ("r0",)
    defaults = {"r0": 0.0}

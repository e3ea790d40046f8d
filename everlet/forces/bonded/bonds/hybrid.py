"""A style for each type; forces/bonded/hybrid.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.hybrid import Hybrid


@bond_style("hybrid")
class HybridBond(Hybrid, BondStyle):
    pass

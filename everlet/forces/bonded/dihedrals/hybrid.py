"""A style for each type; forces/bonded/hybrid.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.bonded.hybrid import Hybrid


@dihedral_style("hybrid")
class HybridDihedral(Hybrid, DihedralStyle):
    pass

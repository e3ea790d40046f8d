"""No force; forces/bonded/zero.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.bonded.zero import Zero


@dihedral_style("zero")
class ZeroDihedral(Zero, DihedralStyle):
    pass

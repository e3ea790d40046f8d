"""As charmm (charmm.py), with pair styles lj/charmmfsw: pairs of atoms 1 and 4 have the constants of their inner range."""

from __future__ import annotations

from everlet.forces.bonded.base import dihedral_style
from everlet.forces.bonded.dihedrals.charmm import Charmm


@dihedral_style("charmmfsw")
class Charmmfsw(Charmm):
    pass

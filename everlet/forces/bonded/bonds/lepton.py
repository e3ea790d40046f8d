"""Formulas of a script, of r; forces/bonded/formulas.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.formulas import Lepton


@bond_style("lepton")
class BondLepton(Lepton, BondStyle):
    coordinate = "r"
    origin = "r0"

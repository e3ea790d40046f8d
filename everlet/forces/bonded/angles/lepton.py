"""Formulas of a script, of theta; forces/bonded/formulas.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.forces.bonded.formulas import Lepton


@angle_style("lepton")
class AngleLepton(Lepton, AngleStyle):
    coordinate = "theta"
    origin = "theta0"
    degrees = ("theta0",)

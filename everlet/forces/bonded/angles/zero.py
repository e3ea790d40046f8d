"""No force; forces/bonded/zero.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.forces.bonded.zero import Zero


@angle_style("zero")
class ZeroAngle(Zero, AngleStyle):
    coeffs = {"theta0": Degrees(1.0)}
    defaults = {"theta0": 0.0}

"""A style for each type; forces/bonded/hybrid.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.forces.bonded.hybrid import Hybrid


@angle_style("hybrid")
class HybridAngle(Hybrid, AngleStyle):
    pass

"""A style for each type; forces/bonded/hybrid.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import ImproperStyle, improper_style
from everlet.forces.bonded.hybrid import Hybrid


@improper_style("hybrid")
class HybridImproper(Hybrid, ImproperStyle):
    pass

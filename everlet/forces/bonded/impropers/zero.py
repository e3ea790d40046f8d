"""No force; forces/bonded/zero.py has the syntax."""

from __future__ import annotations

from everlet.forces.bonded.base import ImproperStyle, improper_style
from everlet.forces.bonded.zero import Zero


@improper_style("zero")
class ZeroImproper(Zero, ImproperStyle):
    pass

"""Forces that are kept to a plane."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.forces.lineforce import LineForce


@fix_style("planeforce")
class PlaneForce(LineForce):
    """fix ID group planeforce X Y Z: F -= (F a) a, a the unit vector along X Y Z, the normal of the plane."""

    plane = 1

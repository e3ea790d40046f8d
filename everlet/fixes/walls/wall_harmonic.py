"""A wall that repels like a spring."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.walls.energy import Wall
from everlet.portable import portable


@portable
def harmonic(r, epsilon, unused, unused2, cutoff):
    """E = epsilon (cutoff - r)^2; and -dE/dr."""
    d = cutoff - r
    return epsilon * d * d, 2.0 * epsilon * d


@fix_style("wall/harmonic")
class WallHarmonic(Wall):
    """fix ID group wall/harmonic xlo|… PLACE EPSILON SIGMA CUTOFF …: E = EPSILON (CUTOFF - r)^2; SIGMA is not used."""

    law = harmonic

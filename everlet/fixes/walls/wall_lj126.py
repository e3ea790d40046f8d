"""A wall of the Lennard-Jones 12-6 form."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.walls.energy import Wall
from everlet.portable import portable


@portable
def lj126(r, epsilon, sigma, unused, cutoff):
    """E = 4 epsilon (s^12 - s^6), s = sigma/r; and -dE/dr."""
    s = sigma / r
    s3 = s * s * s
    s6 = s3 * s3
    return 4.0 * epsilon * (s6 * s6 - s6), 24.0 * epsilon * (2.0 * s6 * s6 - s6) / r


@fix_style("wall/lj126")
class WallLJ126(Wall):
    """fix ID group wall/lj126 xlo|… PLACE EPSILON SIGMA CUTOFF …: E = 4 EPSILON (s^12 - s^6), s = SIGMA/r."""

    law = lj126

"""A wall of the Lennard-Jones 9-3 form: a half space of particles."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.walls.energy import Wall
from everlet.portable import portable


@portable
def lj93(r, epsilon, sigma, unused, cutoff):
    """E = epsilon (2/15 s^9 - s^3), s = sigma/r; and -dE/dr."""
    s = sigma / r
    s3 = s * s * s
    s9 = s3 * s3 * s3
    return epsilon * (2.0 / 15.0 * s9 - s3), epsilon * (1.2 * s9 - 3.0 * s3) / r


@fix_style("wall/lj93")
class WallLJ93(Wall):
    """fix ID group wall/lj93 xlo|… PLACE EPSILON SIGMA CUTOFF …: E = EPSILON (2/15 s^9 - s^3), s = SIGMA/r."""

    law = lj93

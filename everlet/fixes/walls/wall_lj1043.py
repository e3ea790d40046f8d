"""A wall of the Lennard-Jones 10-4-3 form: layers of particles."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.walls.energy import Wall
from everlet.portable import portable


@portable
def lj1043(r, epsilon, sigma, unused, cutoff):
    """E = 2 pi epsilon (2/5 s^10 - s^4 - sqrt(2) sigma^3 / (3 (r + 0.61/sqrt(2) sigma)^3)), s = sigma/r; and -dE/dr."""
    s = sigma / r
    s2 = s * s
    s4 = s2 * s2
    s10 = s4 * s4 * s2
    t = sigma / (r + 0.43133513652379396 * sigma)
    t3 = 1.4142135623730951 * t * t * t
    e = 6.283185307179586 * epsilon
    return e * (0.4 * s10 - s4 - t3 / 3.0), e * ((4.0 * s10 - 4.0 * s4) / r - t3 * t / sigma)


@fix_style("wall/lj1043")
class WallLJ1043(Wall):
    """fix ID group wall/lj1043 xlo|… PLACE EPSILON SIGMA CUTOFF …: E = 2 pi EPSILON (2/5 s^10 - s^4 - sqrt(2) SIGMA^3 /
    (3 (r + 0.61 SIGMA / sqrt(2))^3)), s = SIGMA/r."""

    law = lj1043

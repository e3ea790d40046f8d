"""A wall of small particles for large ones."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nve_sphere import need_spheres
from everlet.fixes.walls.energy import Wall
from everlet.portable import log, portable


@portable
def colloid(r, epsilon, sigma, radius, cutoff):
    """E of a sphere of this radius R beside a wall, D = r - R, P = D (D + 2 R):

    E = epsilon (sigma^6/7560 ((6 R - D)/D^7 + (D + 8 R)/(D + 2 R)^7) - (2 R (D + R)/P + ln(D/(D + 2 R)))/6); and -dE/dr.
    """
    d = r - radius
    e = d + 2.0 * radius
    p = d * e
    s = epsilon * sigma * sigma * sigma * sigma * sigma * sigma / 7560.0
    d7 = 1.0 / (d * d * d * d * d * d * d)
    e7 = 1.0 / (e * e * e * e * e * e * e)
    near = 6.0 * radius - d
    far = d + 8.0 * radius
    energy = s * (near * d7 + far * e7) - epsilon / 6.0 * (2.0 * radius * (d + radius) / p + log(d / e))
    force = s * (d7 + 7.0 * near * d7 / d - e7 + 7.0 * far * e7 / e) - epsilon / 1.5 * radius * radius * radius / (p * p)
    return energy, force


@fix_style("wall/colloid")
class WallColloid(Wall):
    """fix ID group wall/colloid xlo|… PLACE EPSILON SIGMA CUTOFF …: spheres beside a wall of small particles, r from their
    centres; the formula is that of `colloid` above."""

    law = colloid
    sized = True

    def init(self) -> None:
        super().init()
        need_spheres(self.system, self.bit, f"fix {self.id} wall/colloid")

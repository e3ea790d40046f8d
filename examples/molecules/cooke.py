"""Tails of coarse lipids attract each other over a wide range (Cooke, Kremer and Deserno, 2005).

    E(r) = 4 epsilon ((b/r)^12 - (b/r)^6)             r < r_c = 2^(1/6) b
         = -epsilon cos^2(pi (r - r_c)/(2 w))         r_c <= r <= r_c + w

    pair_style cooke r_c + w;  pair_coeff I J epsilon b w [r_c + w]        forces are derived
"""

from math import pi

from everlet import PairStyle, pair_style, portable
from everlet.forces.pair.quantities import energy, length
from everlet.portable import cos, sqrt, where


@pair_style("cooke")
class Cooke(PairStyle):
    coeffs = dict(depth=energy, size=length, width=length)
    example = dict(depth=1.0, size=1.0, width=1.0)

    def table(self, depth, size, width):
        near = 2.0 ** (1.0 / 6.0) * size
        return dict(e=depth, b2=size * size, near=near, k=0.5 * pi / width)

    @portable
    def energy(r2, p):
        r = sqrt(r2)
        s2 = p.b2 / r2
        s6 = s2 * s2 * s2
        c = cos(p.k * (r - p.near))
        return where(r < p.near, 4.0 * p.e * (s6 * s6 - s6), -p.e * c * c)

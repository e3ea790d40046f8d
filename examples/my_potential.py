"""A potential of your own, in one file outside the package.

    everlet run examples/in.my_potential --plugin examples/my_potential.py
    everlet check examples/my_potential.py          force against finite differences, on every backend here

`wobble` writes force and energy; `wobble/auto` is the same physics with the energy only: its force is found by
differentiating the text. Both run as fast as a built-in style on threads and on a GPU.
"""

from everlet import PairStyle, pair_style, portable
from everlet.forces.pair.quantities import energy, inverse_length, length
from everlet.portable import cos, exp, sin, sqrt


@pair_style("wobble")
class Wobble(PairStyle):
    """E = A exp(-r/s) cos(k r) for r < r_c.   pair_style wobble r_c;  pair_coeff I J A s k [r_c]"""

    coeffs = dict(height=energy, decay=length, wave=inverse_length)
    example = dict(height=5.0, decay=0.5, wave=6.0)

    def table(self, height, decay, wave):
        return dict(a=height, s=1.0 / decay, k=wave)

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        height = p.a * exp(-p.s * r)
        value = height * cos(p.k * r)
        return (p.s * value + p.k * height * sin(p.k * r)) / r, value


@pair_style("wobble/auto")
class WobbleAuto(PairStyle):
    """The same energy; the force is derived from it."""

    coeffs, example, table = Wobble.coeffs, Wobble.example, Wobble.table

    @portable
    def energy(r2, p):
        r = sqrt(r2)
        return p.a * exp(-p.s * r) * cos(p.k * r)

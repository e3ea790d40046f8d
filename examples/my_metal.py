"""A many-body potential of your own: energies of pairs, a density, and what it costs to embed an atom in it.

    everlet run examples/in.my_metal --plugin examples/my_metal.py
    everlet check examples/my_metal.py

Forces are derived from the three functions; densities travel between ranks and to periodic images by themselves.
"""

from everlet import EmbeddedStyle, pair_style, portable
from everlet.forces.pair.quantities import energy, length, number
from everlet.portable import exp, sqrt


@pair_style("gupta")
class Gupta(EmbeddedStyle):
    """E = sum_i [sum_j A exp(-p (r/r0 - 1)) - sqrt(sum_j xi^2 exp(-2 q (r/r0 - 1)))]

    pair_style gupta r_c;  pair_coeff I J A xi p q r0 [r_c]
    """

    coeffs = dict(a=energy, xi=energy, p=number, q=number, r0=length)
    example = dict(a=0.1, xi=1.2, p=11.0, q=2.3, r0=1.0)

    def table(self, a, xi, p, q, r0):
        return dict(a=2.0 * a, p=p, q=2.0 * q, xi2=xi * xi, inverse=1.0 / r0)  # 2 a: a pair is counted once

    @portable
    def energy(r2, p):
        return p.a * exp(-p.p * (sqrt(r2) * p.inverse - 1.0))

    @portable
    def density(r2, p):
        return p.xi2 * exp(-p.q * (sqrt(r2) * p.inverse - 1.0))

    @portable
    def embedding(rho, p):
        return -sqrt(rho)

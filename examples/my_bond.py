"""A bond style of your own: the energy only, the force is derived from it.

    everlet run examples/in.my_bond --plugin examples/my_bond.py
    everlet check examples/my_bond.py               force against finite differences, on every backend here
"""

from everlet import BondStyle, bond_style, portable
from everlet.portable import exp, sqrt


@bond_style("my/morse")
class MyMorse(BondStyle):
    """E = D (1 - exp(-alpha (r - r0)))^2.   bond_coeff TYPE D alpha r0"""

    coeffs = ("depth", "alpha", "r0")
    example = dict(depth=100.0, alpha=2.0, r0=1.0)

    @portable
    def energy(r2, p):
        stretch = 1.0 - exp(-p.alpha * (sqrt(r2) - p.r0))
        return p.depth * stretch * stretch

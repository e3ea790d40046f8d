"""A potential of your own between charged atoms: energies alone, forces are derived from them.

    everlet run examples/in.my_charges --plugin examples/my_charges.py
    everlet check examples/my_charges.py

`energy` is what does not depend on charges, and may be left out. `coulomb_energy` is the energy of two charges with
C q_i q_j = 1; the driver multiplies it (C follows from units and the dielectric command) and counts it as ecoul.
"""

from everlet import ChargedStyle, pair_style, portable
from everlet.forces.pair.quantities import energy, length
from everlet.portable import exp, sqrt


@pair_style("soft/ions")
class SoftIons(ChargedStyle):
    """E = A exp(-r/rho) + C q_i q_j [1/sqrt(r^2 + s^2) - 1/sqrt(r_c^2 + s^2)] for r < r_c.

    pair_style soft/ions s r_c;  pair_coeff I J A rho [r_c]
    """

    settings = dict(smear=length, cut=length)
    coeffs = dict(height=energy, decay=length)
    example = dict(height=5.0, decay=0.3, smear=0.2)

    def table(self, height, decay, cut):
        s2 = self.setting["smear"] ** 2
        return dict(a=height, inverse=1.0 / decay, s2=s2, end=(cut * cut + s2) ** -0.5)

    @portable
    def energy(r2, p):
        return p.a * exp(-sqrt(r2) * p.inverse)

    @portable
    def coulomb_energy(r2, p):
        return 1.0 / sqrt(r2 + p.s2) - p.end

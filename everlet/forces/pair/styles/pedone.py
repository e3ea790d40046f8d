"""Pedone potential of oxide glasses, without charges."""

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, energy_length12, inverse_length, length
from everlet.forces.pair.styles.morse import Morse
from everlet.portable import portable


@pair_style("pedone")
class Pedone(Morse):
    """E = D [exp(-2 alpha (r - r0)) - 2 exp(-alpha (r - r0))] + C/r^12 for r < r_c.

    pair_style pedone r_c                 r_c: length
    pair_coeff I J D alpha r0 C [r_c]     D: energy, alpha: 1/length, r0: length, C: energy length^12

    pair_modify shift makes E zero at r_c. (The reference subtracts what the first part is there.)
    """

    coeffs = {"d0": energy, "alpha": inverse_length, "r0": length, "c0": energy_length12}
    mixable = False

    def table(self, d0: float, alpha: float, r0: float, c0: float) -> Values:  # type: ignore[override]
        return {**super().table(d0, alpha, r0), "c": c0}

    @portable
    def pair(r2, p):
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        force, energy = morse_pair(r2, p)
        return force + 12.0 * p.c * ir6 * ir6 * ir2, energy + p.c * ir6 * ir6


morse_pair = Morse.pair

"""The n-m potential: a well of given depth and place with any two powers of 1/r."""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coulomb import Cut, Long
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length, power
from everlet.forces.pair.styles.mie_cut import TwoPowers
from everlet.portable import portable, where

two_powers = TwoPowers.pair


@pair_style("nm/cut")
class NMCut(TwoPowers):
    """E = E0 / (n - m) [m (r0/r)^n - n (r0/r)^m] for r < r_c.

    pair_style nm/cut r_c                     r_c: length
    pair_coeff I J E0 r0 n m [r_c]            E0: energy, r0: length, n, m: powers
    """

    coeffs = {"e0": energy, "r0": length, "nn": power, "mm": power}
    mixable = False
    example = {"nn": 12.0, "mm": 6.0}

    def table(self, e0: float, r0: float, nn: float, mm: float) -> Values:
        if nn == mm:
            raise InputError(f"both powers are {nn:g}", "give two powers")
        c = e0 / (nn - mm)
        return self.numbers_of(r0, nn, mm, mm * c, nn * c)

    def tail(self, cut: float, e0: float, r0: float, nn: float, mm: float) -> tuple[float, float]:
        c = e0 / (nn - mm)
        return self.integrals(cut, r0, nn, mm, mm * c, nn * c)


@pair_style("nm/cut/split")
class NMCutSplit(NMCut):
    """The same for r < r0, and E = E0 [(r0/r)^12 - 2 (r0/r)^6] beyond.

    pair_style nm/cut/split r_c
    pair_coeff I J E0 r0 n m [r_c]

    The reference has 4 E0 (r^-12 - r^-6) beyond, whatever r0 is: the same for r0 = 2^(1/6). Its pair_modify shift is for r < r0
    alone, its tail that of n and m, which is refused here.
    """

    tail = None  # type: ignore[assignment]

    def table(self, e0: float, r0: float, nn: float, mm: float) -> Values:
        return super().table(e0, r0, nn, mm) | {"r02": r0 * r0, "e0": e0}

    @portable
    def pair(r2, p):
        force, energy = two_powers(r2, p)
        ir2 = 1.0 / r2
        x = p.r02 * ir2
        x6 = x * x * x
        far = r2 > p.r02
        return where(far, 12.0 * p.e0 * x6 * (x6 - 1.0) * ir2, force), where(far, p.e0 * x6 * (x6 - 2.0), energy)


@pair_style("nm/cut/coul/cut")
class NMCutCoulCut(Cut, NMCut):
    """And C q_i q_j / r for r < r_q.

    pair_style nm/cut/coul/cut r_c [r_q]               r_q: length; r_q is r_c if it is not given
    pair_coeff I J E0 r0 n m [r_c [r_q]]
    """


@pair_style("nm/cut/coul/long")
class NMCutCoulLong(Long, NMCut):
    """And C q_i q_j erfc(g r)/r for r < r_q, the same for all pairs of types; kspace_style has the rest and chooses g.

    pair_style nm/cut/coul/long r_c [r_q]
    pair_coeff I J E0 r0 n m [r_c]
    """

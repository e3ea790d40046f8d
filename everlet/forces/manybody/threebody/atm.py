"""Axilrod-Teller-Muto potential: dispersion of three atoms."""

from __future__ import annotations

from itertools import permutations

from everlet.errors import InputError, arguments, number
from everlet.forces.manybody.threebody.base import ThreeBodyStyle, Values
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coefficients import check_cutoff
from everlet.portable import both, portable, sqrt, where


@pair_style("atm")
class ATM(ThreeBodyStyle):
    """E = nu (1 + 3 cos a cos b cos c) / (r_12 r_23 r_31)^3 of atoms whose distances are below r_c, with a product
    below r_t^3.

    pair_style atm r_c r_t            lengths
    pair_coeff I J K nu               nu: energy length^9, for each three types

    Each of the three atoms has a third of it: by the cosine law a third distance follows from two and their angle.
    """

    linear = symmetric = fading = True

    def configure(self, args: list[str]) -> None:
        arguments(args, 2, 2, "pair_style atm r_c r_t")
        self.args = list(args)
        self.setting = {"cut": number(args[0], "a cutoff"), "triple": number(args[1], "a cutoff of three atoms")}
        for cut in self.setting.values():
            check_cutoff(cut)

    def coeff(self, args: list[str]) -> None:
        arguments(args, 4, 4, "pair_coeff I J K nu")
        nu = number(args[3], "nu")
        self.names = {k: str(k) for k in range(1, self.system.ntypes + 1)}
        first, second, third = (self.system.type_range(word) for word in args[:3])
        for i in first:
            for j in second:
                for k in third:
                    for a, b, c in permutations((str(i), str(j), str(k))):
                        self.triples[a, b, c] = {"nu": nu}
        self.lines.append(args)

    def init(self) -> None:
        names = list(self.names.values())
        missing = [(a, b, c) for a in names for b in names for c in names if (a, b, c) not in self.triples]
        if missing:
            raise InputError(f"no pair_coeff for types {' '.join(missing[0])}", "pair style atm needs all three of them")
        super().init()

    def cutoff(self, values: Values) -> float:
        return self.setting["cut"]

    def derive(self, values: Values) -> Values:
        cut, triple = self.setting["cut"], self.setting["triple"]
        return {"nu": values["nu"] / 3.0, "cut": cut, "end": cut**2, "most": triple**6}

    @portable
    def arm(r, p):
        return where(r < p.cut, 1.0, 0.0), 0.0 * r

    @portable
    def angle(r, u, du, s, v, dv, c, p):
        a, b = r * r, s * s
        t = a + b - 2.0 * r * s * c
        product = a * b * t
        near = both(both(t < p.end, product < p.most), u * v > 0.5)
        one = 1.0 / where(near, product, 1.0)
        cube = where(near, p.nu, 0.0) * one * sqrt(one)
        fifth = 0.375 * cube * one
        x, y, z = a + b - t, a + t - b, b + t - a
        xyz, lost = x * y * z * fifth, 1.5 * cube
        lost += 2.5 * xyz
        by_a = (y * z + x * z - x * y) * fifth - lost / a
        by_b = (y * z - x * z + x * y) * fifth - lost / b
        by_t = (x * y + x * z - y * z) * fifth - lost / where(near, t, 1.0)
        return (cube + xyz, 2.0 * (r * by_a + (r - s * c) * by_t), 2.0 * (s * by_b + (s - r * c) * by_t),
                -2.0 * r * s * by_t)

    @portable
    def bond(r, u, du, zeta, p):
        return 0.5 * zeta, 0.0 * r, 0.5 + 0.0 * zeta

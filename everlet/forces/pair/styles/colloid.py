"""Colloids of any size among themselves and in a solvent of Lennard-Jones particles (Everaers and Ejtehadi)."""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length
from everlet.portable import log, portable, sqrt, where


@pair_style("colloid")
class Colloid(PairStyle):
    """Integrals of a Lennard-Jones potential over two balls, a ball and a point, or none (diameters d1, d2; 0: a point).

    A/36 [(sigma/r)^12 - (sigma/r)^6] of two points. Radii a, b; s = r^2 - (a + b)^2, t = r^2 - (a - b)^2 of two balls:
    -A/6 [2ab/s + 2ab/t + ln(s/t)] + A sigma^6 / (37800 r) [g(a, b) + g(-a, -b) - g(a, -b) - g(-a, b)],
    g(a, b) = [r^2 - 7 r (a + b) + 6 (a^2 + 7ab + b^2)] / (r - a - b)^7. A point and a ball, s = r^2 - a^2:
    -2 A (a sigma)^3 / (9 s^3) [1 - (5 a^6 + 45 a^4 r^2 + 63 a^2 r^4 + 15 r^6) sigma^6 / (15 s^6)].

    pair_style colloid r_c                      r_c: length
    pair_coeff I J A sigma d1 d2 [r_c]          A: energy, others: length. Balls must not overlap: there is no energy then
    """

    coeffs = {"A": energy, "sigma": length, "d1": length, "d2": length}
    example = {"d1": 0.3, "d2": 0.2}

    def coeff(self, args: list[str]) -> None:
        super().coeff(args)
        unlike = [pair for pair, one in self.explicit.items() if pair[0] == pair[1] and one["d1"] != one["d2"]]
        if unlike:
            raise InputError(f"type {unlike[0][0]} has two diameters in pair style colloid", "give the same twice")

    def table(self, A: float, sigma: float, d1: float, d2: float) -> Values:
        if sigma <= 0.0 or min(d1, d2) < 0.0:
            raise InputError(f"pair style colloid cannot have sigma {sigma:g} and diameters {d1:g} and {d2:g}",
                             "give sigma > 0, and diameters of 0 or more")
        a, b = 0.5 * max(d1, d2), 0.5 * min(d1, d2)
        return {"a": a, "b": b, "s6": sigma**6, "hamaker": A, "points": float(a == 0.0), "one": float(b == 0.0),
                "mixed": 2.0 / 9.0 * A * (a * sigma) ** 3}

    @portable
    def energy(r2, p):
        r, ir6 = sqrt(r2), p.s6 / (r2 * r2 * r2)
        a2, ab = p.a * p.a, p.a * p.b
        d = r2 - a2
        d3 = d * d * d
        shape = 5.0 * a2 * a2 * a2 + r2 * (45.0 * a2 * a2 + r2 * (63.0 * a2 + 15.0 * r2))
        ball = -p.mixed / d3 * (1.0 - shape * p.s6 / (15.0 * d3 * d3))
        c, e = p.a + p.b, p.a - p.b
        s, t = r2 - c * c, r2 - e * e
        plus, minus = r2 + 6.0 * (c * c + 5.0 * ab), r2 + 6.0 * (e * e - 5.0 * ab)
        core = ((plus - 7.0 * r * c) / (r - c) ** 7 + (plus + 7.0 * r * c) / (r + c) ** 7
                - (minus - 7.0 * r * e) / (r - e) ** 7 - (minus + 7.0 * r * e) / (r + e) ** 7)
        balls = p.hamaker / 6.0 * (p.s6 * core / (6300.0 * r) - 2.0 * ab / s - 2.0 * ab / t - log(where(p.one > 0.5, t, s) / t))
        return where(p.points > 0.5, p.hamaker / 36.0 * ir6 * (ir6 - 1.0), where(p.one > 0.5, ball, balls))

"""Relative resolution: a fine-grained Lennard-Jones potential for near pairs, a coarse-grained one for far pairs."""

from __future__ import annotations

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.inner import WithInner
from everlet.forces.pair.mixing import mix_energy
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import numbers
from everlet.portable import portable, sqrt, where


def course(epsilon: float, sigma: float, r: float) -> tuple[float, float, float]:
    """E, -dE/dr and -d2E/dr2 of 12-6."""
    p = numbers(epsilon / r**6, sigma)
    c, d = p["c"] / r**6, p["d"]
    return c - d, (12.0 * c - 6.0 * d) / r, (42.0 * d - 156.0 * c) / r**2


def bridge(near: tuple[float, ...], far: tuple[float, ...], wide: float) -> tuple[float, ...]:
    """Coefficients of t^0 to t^3 of a force that begins as one course and ends as another, and its work."""
    (_, f, g), (_, f1, g1) = near, far
    h, i = (3.0 * (f1 - f) - wide * (2.0 * g + g1)) / wide**2, (wide * (g + g1) - 2.0 * (f1 - f)) / wide**3
    return f, g, h, i, wide * (f + wide * (g / 2.0 + wide * (h / 3.0 + wide * i / 4.0)))


NOTHING = (0.0, 0.0, 0.0)


@pair_style("lj/relres")
class LJRelRes(WithInner):
    """E is 12-6 of eps, sigma plus a constant up to rsi, 12-6 of eps_cg, sigma_cg from rso to rci; in between, and from rci to
    rco, -dE/dr = f + g t + h t^2 + i t^3. Energy and force are steady, and end at rco; so is the slope of the force, but for
    rso, where it has the other sign as in the reference. Without eps_cg the pair ends at rso, with energy 0.

    pair_style lj/relres rsi rso rci rco                                 lengths, rsi < rso <= rci < rco
    pair_coeff I J eps sigma eps_cg sigma_cg [rsi rso rci rco]           eps, eps_cg: energy, sigma, sigma_cg: length
    """

    coeffs = {"epsilon": energy, "sigma": length, "eps_cg": energy, "sigma_cg": length}
    settings = {"rsi": length, "rso": length, "rci": length, "cut": length}
    example = {"rsi": 1.2, "rso": 1.5, "rci": 2.0}

    @staticmethod
    def ordered(distances: list[float]) -> bool:
        rsi, rso, rci, cut = distances
        return 0.0 < rsi < rso <= rci <= cut

    def reach(self, values: Values) -> float:
        return values["cut"] if values["eps_cg"] else values["rso"]

    def mix(self, a: Values, b: Values) -> Values:
        coarse = mix_energy(self.mix_rule, a["eps_cg"], b["eps_cg"], a["sigma_cg"], b["sigma_cg"], "eps_cg")
        return super().mix(a, b) | {"eps_cg": coarse}

    def table(self, epsilon: float, sigma: float, eps_cg: float, sigma_cg: float, rsi: float, rso: float, rci: float,
              cut: float) -> Values:
        fine, coarse, last = course(epsilon, sigma, rsi), course(eps_cg, sigma_cg, rso), course(eps_cg, sigma_cg, rci)
        first = bridge(fine, (*coarse[:2], -coarse[2]), rso - rsi)  # as the reference has it
        end = bridge(last, NOTHING, cut - rci) if eps_cg and cut > rci else (0.0,) * 5
        out = numbers(epsilon, sigma) | {f"{name}2": value for name, value in numbers(eps_cg, sigma_cg).items()}
        out |= {f"f{k}": value for k, value in enumerate(first[:4])} | {f"g{k}": value for k, value in enumerate(end[:4])}
        from_rso = coarse[0] + first[4]
        return out | {"rsi": rsi, "rso": rso, "rci": rci, "e1": from_rso, "e2": last[0], "gamma": fine[0] - from_rso}

    @portable
    def pair(r2, p):
        r, ir2 = sqrt(r2), 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        t, u = r - p.rsi, r - p.rci
        near, between, far = t < 0.0, r < p.rso, r < p.rci
        outer = where(far, ir6 * (p.a2 * ir6 - p.b2) * ir2, (p.g0 + u * (p.g1 + u * (p.g2 + u * p.g3))) / r)
        outside = where(far, ir6 * (p.c2 * ir6 - p.d2),
                        p.e2 - u * (p.g0 + u * (p.g1 / 2.0 + u * (p.g2 / 3.0 + u * p.g3 / 4.0))))
        inner = where(near, ir6 * (p.a * ir6 - p.b) * ir2, (p.f0 + t * (p.f1 + t * (p.f2 + t * p.f3))) / r)
        inside = where(near, ir6 * (p.c * ir6 - p.d) - p.gamma,
                       p.e1 - t * (p.f0 + t * (p.f1 / 2.0 + t * (p.f2 / 3.0 + t * p.f3 / 4.0))))
        return where(between, inner, outer), where(between, inside, outside)

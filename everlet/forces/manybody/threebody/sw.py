"""Stillinger-Weber.

E = sum_{i<j} A eps [B (sigma/r)^p - (sigma/r)^q] exp(sigma / (r - a sigma))
  + sum_i sum_{j<k} lambda eps (cos theta - cos theta0)^2 exp(gamma sigma_ij / (r_ij - a sigma_ij)) exp(… ik)

    pair_style sw           pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none

Entries of a file: three elements, epsilon sigma a lambda gamma cos_theta0 A B p q tol. Terms of pairs, sigma, a and gamma are
those of (i, j, j); lambda, epsilon and cos_theta0 of an angle those of (i, j, k). tol > 0 cuts off where terms fall below it.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from everlet.forces.manybody.threebody.base import ThreeBodyStyle, Triple, Values
from everlet.forces.pair.base import pair_style
from everlet.portable import exp, log, portable, where


@pair_style("sw")
class StillingerWeber(ThreeBodyStyle):
    columns = ("epsilon", "sigma", "a", "lambda", "gamma", "cos_theta0", "A", "B", "p", "q", "tol")
    energies = ("epsilon",)
    linear = symmetric = fading = True

    def check(self, values: Values) -> str:
        for name in self.columns:
            if values[name] < 0.0 and name not in ("cos_theta0", "A", "B"):
                return f"{name} is {values[name]:g}, and must be 0 or more"
        return ""

    def cutoff(self, values: Values) -> float:
        reach = values["sigma"] * values["a"]
        if values["tol"] > 0.0:
            inner = values["sigma"] * (values["gamma"] if values["gamma"] < 1.0 else 1.0)
            reach += inner / math.log(min(values["tol"], 0.01))
        return max(reach, 0.0)

    def derive(self, values: Values) -> Values:
        v = values
        return {"strength": v["lambda"] * v["epsilon"], "cosine": v["cos_theta0"], "reach": v["a"] * v["sigma"],
                "decay": v["gamma"] * v["sigma"], "sigma": v["sigma"], "repel": v["A"] * v["epsilon"] * v["B"],
                "attract": v["A"] * v["epsilon"], "p": v["p"], "q": v["q"]}

    def together(self, made: dict[Triple, Values]) -> dict[Triple, Values]:
        """An angle has no order: of (i, j, k) and (i, k, j) the mean, which files may round differently."""
        out = {}
        for (i, j, k), values in made.items():
            other = made[i, k, j]
            mean = 0.5 * (values["strength"] + other["strength"])
            if abs(values["strength"] - other["strength"]) > 1e-4 * abs(mean) or values["cosine"] != other["cosine"]:
                self.warnings.append(f"lambda epsilon or cos_theta0 of {i} {j} {k} and of {i} {k} {j} differ: "
                                     "an angle has no order, so their mean is used")
            out[i, j, k] = {**values, "strength": mean, "cosine": 0.5 * (values["cosine"] + other["cosine"])}
        return out

    @portable
    def arm(r, p):
        inverse = 1.0 / (r - p.reach)
        inside = r < p.reach
        value = where(inside, exp(where(inside, p.decay * inverse, 0.0)), 0.0)
        return value, -p.decay * inverse * inverse * value

    @portable
    def angle(r, u, du, s, v, dv, c, p):
        off = c - p.cosine
        height = p.strength * off * off
        return height * u * v, height * du * v, height * u * dv, 2.0 * p.strength * off * u * v

    @property
    def bond(self) -> portable:  # type: ignore[override]
        """Powers of one distance: by products where all entries have the same whole exponents, as is usual."""
        powers = {(values["p"], values["q"]) for values in self.triples.values() if values["A"] != 0.0}
        p, q = powers.pop() if len(powers) == 1 else (0.5, 0.5)
        whole = p == int(p) and q == int(q) and 0 < p <= 64 and 0 <= q <= 64
        return pair_term(whole_powers(int(p), int(q)) if whole else any_powers)


@portable
def any_powers(x, p):
    size = log(x)
    return exp(p.p * size), exp(p.q * size)


@functools.cache
def whole_powers(p: int, q: int) -> portable:
    """x^p and x^q for whole exponents; the text of a power has its number in it."""
    first, second = (f"x**{k}" if k else "1.0 + 0.0 * x" for k in (p, q))
    source = f"def powers(x, p):\n    return {first}, {second}\n"
    scope: dict[str, Any] = {}
    exec(compile(source, "<powers>", "exec"), scope)
    return portable(scope["powers"], source)


@functools.cache
def pair_term(powers: portable) -> portable:
    @portable
    def bond(r, u, du, zeta, p):
        inverse = 1.0 / (r - p.reach)
        inside = r < p.reach
        smooth = where(inside, exp(where(inside, p.sigma * inverse, 0.0)), 0.0)
        one = 1.0 / r
        close, far = powers(p.sigma * one, p)
        close, far = p.repel * close, p.attract * far
        slope = -(p.p * close - p.q * far) * one - (close - far) * p.sigma * inverse * inverse
        return 0.5 * (close - far) * smooth + 0.5 * zeta, 0.5 * slope * smooth, 0.5 + 0.0 * zeta

    return bond

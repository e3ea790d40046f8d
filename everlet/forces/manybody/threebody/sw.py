"""Stillinger-Weber.

E = sum_{i<j} A eps [B (sigma/r)^p - (sigma/r)^q] exp(sigma / (r - a sigma))
  + sum_i sum_{j<k} lambda eps (cos theta - cos theta0)^2 exp(gamma sigma_ij / (r_ij - a sigma_ij)) exp(… ik)

    pair_style sw [threebody on]    pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none
    pair_style sw threebody off     pair_coeff I J FILE El1 El2 …     only the first sum, for these pairs of types

Entries of a file: three elements, epsilon sigma a lambda gamma cos_theta0 A B p q tol. Terms of pairs, sigma, a and gamma are
those of (i, j, j); lambda, epsilon and cos_theta0 of an angle those of (i, j, k). tol > 0 cuts off where terms fall below it.
"""

from __future__ import annotations

import functools
import math

from everlet.errors import InputError, yes_no
from everlet.forces.manybody.threebody.base import ThreeBodyStyle, Triple, Values
from everlet.forces.pair.base import pair_style
from everlet.portable import Portable, exp, log, portable, where
from everlet.portable.language.functions import written


@pair_style("sw")
class StillingerWeber(ThreeBodyStyle):
    columns = ("epsilon", "sigma", "a", "lambda", "gamma", "cos_theta0", "A", "B", "p", "q", "tol")
    energies = ("epsilon",)
    linear = symmetric = fading = True

    def configure(self, args: list[str]) -> None:
        usage = "usage: pair_style sw [threebody on|off]"
        self.angles = True
        for k in range(0, len(args), 2):
            if args[k] != "threebody":
                raise InputError(f"unknown option '{args[k]}'", usage)
            if k + 1 == len(args):
                raise InputError("threebody without on or off", usage)
            self.angles = yes_no(args[k + 1], "threebody")
        self.args, self.setting = list(args), {}
        self.chosen: set[tuple[int, int]] = set()  # without angles: the pairs of types that lines were for

    def coeff(self, args: list[str]) -> None:
        """Without angles there may be several lines, for the pairs of types that they name: of one file, as one mapping."""
        if self.angles:
            super().coeff(args)
            return
        names = self.elements(["*", "*", *args[2:]])
        pairs = self.type_pairs(args[0], args[1])
        types = sorted({k for pair in pairs for k in pair})
        if self.lines and args[2] != self.lines[0][2]:
            raise InputError(f"a second file of sw, {args[2]}", f"put all entries into {self.lines[0][2]}")
        for k in types:
            if names[k] == "NULL":
                raise InputError(f"type {k} is NULL, and this line is for it", "name only types that have an element")
            if self.lines and names[k] != self.names[k]:
                raise InputError(f"type {k} is {names[k]} here and was {self.names[k]} in the first line",
                                 "give the same elements in all lines")
        if not self.lines:
            self.triples, self.names = self.read(args[2], set(names.values()) - {"NULL"}), names
        self.lines.append(args)
        self.chosen |= set(pairs)

    def given(self) -> set[tuple[int, int]]:
        return super().given() if self.angles else self.chosen

    def init(self) -> None:
        super().init()
        n = self.system.ntypes
        missing = [(i, j) for i in range(1, n + 1) for j in range(i, n + 1) if (i, j) not in self.chosen]
        if not self.angles and self.only is None and missing:
            raise InputError(f"no pair_coeff for types {missing[0][0]} {missing[0][1]}", "sw threebody off needs all pairs")

    def check(self, values: Values) -> str:
        for name in self.columns:
            if values[name] < 0.0 and name not in ("cos_theta0", "A", "B"):
                return f"{name} is {values[name]:g}, and must be 0 or more"
        return ""

    def cutoff(self, values: Values) -> float:
        reach = values["sigma"] * values["a"]
        if values["tol"] > 0.0:
            inner = values["sigma"] * min(values["gamma"], 1.0)
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
    def bond(self) -> Portable:  # type: ignore[override]
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
def whole_powers(p: int, q: int) -> Portable:
    """x^p and x^q for whole exponents; the text of a power has its number in it."""
    first, second = (f"x**{k}" if k else "1.0 + 0.0 * x" for k in (p, q))
    return written(f"def powers(x, p):\n    return {first}, {second}\n", "powers")


@functools.cache
def pair_term(powers: Portable) -> Portable:
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

"""EDIP, the environment-dependent interatomic potential: pairs and angles at an atom depend on its coordination Z.

E = sum_i [sum_{j != i} phi2(r_ij, Z_i) + sum_{j<k} g(r_ij) g(r_ik) h(cos theta_jik, Z_i)],  Z_i = sum_j f(r_ij)
phi2 = A [(B/r)^rho - exp(-beta Z^2)] exp(sigma / (r - a)),  g = exp(gamma / (r - a)),  both for r < a
h = lambda [1 - exp(-Q y^2) + eta Q y^2],  y = cos theta + u1 + u2 (u3 exp(-u4 Z) - exp(-2 u4 Z)),  Q = Q0 exp(-mu Z)
f = 1 below c, exp(alpha / (1 - x^-3)) with x = (r - c)/(a - c) up to a       (Justo and others, Phys. Rev. B 58, 2539)

    pair_style edip          pair_coeff * * FILE El1 El2 …     one element for all atom types, NULL: none
    pair_style edip/multi    the same, with several elements

Entries of a file: three elements, A B a c alpha beta eta gamma lambda mu rho sigma Q0 u1 u2 u3 u4. Terms of pairs, f and g are
those of (i, j, j), h is that of (i, j, k). The reference's edip reads these functions from tables, and is up to 1e-7 away.
"""

from __future__ import annotations

from typing import Any, ClassVar

from everlet.errors import InputError
from everlet.forces.manybody.threebody.base import ThreeBodyParameters, ThreeBodyStyle, Triple, Values
from everlet.forces.manybody.threebody.edip_loops import edip_loop, edip_shares
from everlet.forces.manybody.threebody.own_loops import OwnLoops
from everlet.forces.manybody.threebody.scheme import ThreeBody
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Portable, both, exp, log, most, portable, where
from everlet.registry import Registry

edip_scheme: Registry[type[Scheme]] = Registry("scheme of edip")


@portable
def crowd(r, p):
    """f and its slope."""
    x = most((r - p.inner) * p.inverse, 0.0)
    cube = x * x * x
    one = 1.0 / most(1.0 - cube, 1e-12)
    between = both(r > p.inner, r < p.reach)
    f = exp(where(between, -p.alpha * cube * one, 0.0))
    return where(r < p.reach, f, 0.0), where(between, -3.0 * p.alpha * p.inverse * x * x * one * one * f, 0.0)


@portable
def pair(r, crowded, p):
    """phi2 and its slopes with r and Z."""
    inverse, inside = 1.0 / (r - p.reach), r < p.reach
    fade = where(inside, p.a * exp(where(inside, p.sigma * inverse, 0.0)), 0.0)
    power, wane = exp(p.rho * log(p.b / r)), exp(-p.beta * crowded * crowded)
    energy = fade * (power - wane)
    slope = -p.rho / r * power * fade - where(inside, p.sigma * inverse * inverse, 0.0) * energy
    return energy, slope, 2.0 * p.beta * crowded * wane * fade


@portable
def bend(c, crowded, p):
    """h and its slopes with c and Z."""
    q, e = p.q0 * exp(-p.mu * crowded), exp(-p.u4 * crowded)
    y = c + p.u1 + p.u2 * (p.u3 * e - e * e)
    wane = exp(-q * y * y)
    by_y = 2.0 * p.strength * q * y * (wane + p.eta)
    return (p.strength * (1.0 - wane + p.eta * q * y * y), by_y,
            by_y * (p.u2 * p.u4 * (2.0 * e * e - p.u3 * e) - 0.5 * p.mu * y))


@edip_scheme("full")
class EdipScheme(OwnLoops):
    loop, share_loop = edip_loop, edip_shares
    statics: ClassVar[dict[str, Portable]] = {"crowd": crowd, "pair": pair, "bend": bend}

    def _arguments(self) -> tuple[Any, ...]:
        n, kind, count, triples, _, *rest = super()._arguments()
        return (n, kind, count, triples, *rest)


class EdipParameters(ThreeBodyParameters):
    def sharing(self, near: Surroundings) -> ThreeBody:
        return EdipScheme(near.system, near.dense, self)


@pair_style("edip/multi")
class EdipMulti(ThreeBodyStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = edip_scheme
    of_kernels = EdipParameters
    columns = ("A", "B", "a", "c", "alpha", "beta", "eta", "gamma", "lambda", "mu", "rho", "sigma", "Q0",
               "u1", "u2", "u3", "u4")
    energies = ("A", "lambda")
    linear = True  # no numbers of bonds are kept

    def check(self, values: Values) -> str:
        for name in ("A", "B", "a", "c", "alpha", "beta", "eta", "gamma", "lambda", "mu", "rho", "sigma"):
            if values[name] < 0.0:
                return f"{name} is {values[name]:g}, and must be 0 or more"
        return "" if values["c"] < values["a"] else f"c is {values['c']:g}, not less than a, {values['a']:g}"

    def cutoff(self, values: Values) -> float:
        return values["a"]

    def derive(self, values: Values) -> Values:
        v = values
        return {"a": v["A"], "b": v["B"], "reach": v["a"], "inner": v["c"], "inverse": 1.0 / (v["a"] - v["c"]),
                "alpha": v["alpha"], "beta": v["beta"], "eta": v["eta"], "decay": v["gamma"], "strength": v["lambda"],
                "mu": v["mu"], "rho": v["rho"], "sigma": v["sigma"], "q0": v["Q0"], "u1": v["u1"], "u2": v["u2"],
                "u3": v["u3"], "u4": v["u4"]}

    @portable
    def arm(r, p):
        inverse, inside = 1.0 / (r - p.reach), r < p.reach
        value = where(inside, exp(where(inside, p.decay * inverse, 0.0)), 0.0)
        return value, -p.decay * inverse * inverse * value

    angle, bond = bend, pair  # of another form, for loops of their own


@pair_style("edip")
class Edip(EdipMulti):
    def together(self, made: dict[Triple, Values]) -> dict[Triple, Values]:
        if len(made) > 1:
            raise InputError("pair style edip is for one element", "use pair style edip/multi")
        return made

"""Brownian motion of spheres in a fluid: random forces and torques, without the drag that belongs to them.

Resistances R of the fluid make F = sqrt(24 k_B T R / dt) u, u: numbers between -1/2 and 1/2 by seed, step and ids, the same on
any number of ranks and threads, on any device; the reference draws others. With radii a, b of the two spheres of a pair and h
their distance less a + b, or the inner cutoff less that, if they are closer; n from one to the other; L = ln(a/h); beta = b/a:

    squeeze, along n     6 pi mu a [beta^2/(1 + beta)^2 a/h + (1 + 7 beta + beta^2)/(5 (1 + beta)^3) L]
    shear, across n      6 pi mu a 4 beta (2 + beta + 2 beta^2)/(15 (1 + beta)^3) L, torques a n x F of both spheres
    pump, across n       8 pi mu a^3 3/160 L, opposite torques
    each sphere          6 pi mu a (1 + 2.16 phi), with logarithms 6 pi mu a (1 + 2.725 phi - 6.583 phi^2),
                         and torques 8 pi mu a^3 (1 + 0.749 phi - 2.469 phi^2); phi: the volume of spheres over that of the box

Pairs with h of 0 or less have no force, and what is below zero counts as 0, as with the L of wide gaps. L is there with LOG 1
alone, pairs with HI 1, each sphere with FLD 1, phi with VF 1. Forces of spheres of one size are opposite; of brownian/poly
those of the two spheres of a pair have nothing to do with each other, each with an own a and beta, and

    squeeze  + 6 pi mu a (1 + 18 beta - 29 beta^2 + 18 beta^3 + beta^4)/(21 (1 + beta)^4) h/a L
    shear    + 6 pi mu a 4 (16 - 45 beta + 58 beta^2 - 45 beta^3 + 16 beta^4)/(375 (1 + beta)^4) h/a L
    pump       8 pi mu a^3 [beta (4 + beta)/(10 (1 + beta)^2) + (32 - 33 beta + 83 beta^2 + 43 beta^3)/(250 (1 + beta)^3) h/a] L

Ball and Melrose, Physica A 247 (1997) 444; Kumar and Higdon, Phys. Rev. E 82 (2010) 051401.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.forces.pair import brownian_loops
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.inner import WithInner
from everlet.forces.pair.schemes.own import OwnStyle, ahead, torque_of
from everlet.state.atom_styles import need_field
from everlet.state.atoms import Atoms
from everlet.state.random import Marsaglia


@pair_style("brownian")
class Brownian(OwnStyle, WithInner):
    """Spheres of one size.

    pair_style brownian mu LOG FLD inner r_c T SEED [HI VF]      mu: viscosity, T: temperature; LOG, FLD, HI, VF: 0 or 1
    pair_coeff I J [inner r_c]                                   lengths
    """

    loop = brownian_loops.brownian_loop
    follows_clock = True
    shiftable = False
    poly: ClassVar[bool] = False

    def configure(self, args: list[str]) -> None:
        arguments(args, 7, 9, f"pair_style {self.name} mu LOG FLD inner cutoff T SEED [HI VF]")
        if len(args) == 8:
            raise InputError(f"pair style {self.name}: HI without VF", "give both, or none")
        self.args = list(args)
        words = dict(zip(("LOG", "FLD", "HI", "VF"), [*args[1:3], *args[7:], "1", "1"], strict=False))
        self.on = {name: one_of(name, word, ("0", "1")) == "1" for name, word in words.items()}
        if self.on["LOG"] and not self.on["HI"]:
            raise InputError(f"pair style {self.name}: LOG 1 with HI 0, logarithms of pairs that have no forces", "give HI 1")
        self.viscosity, self.heat = number(args[0], "a viscosity"), number(args[5], "a temperature")
        if min(self.viscosity, self.heat) < 0.0:
            raise InputError(f"pair style {self.name}: a viscosity or temperature below zero", "give 0 or more")
        self.seed = integer(args[6], "a seed")
        Marsaglia(self.seed)  # refuses seeds that are too small or large
        self.setting = dict(zip(("inner", "cut"), (number(word, "a distance") for word in args[3:5]), strict=True))
        self.pair_cutoffs([])  # refuses what is not in order
        for values in self.explicit.values():
            values |= self.setting

    def table(self, inner: float) -> dict[str, float]:
        return {"inner": inner}

    def init(self) -> None:
        system, atoms, units = self.system, self.system.atoms, self.system.units
        for name in ("radius", "torque"):
            need_field(atoms, name, f"pair style {self.name}")
        if not units.ftm2v == units.mvv2e == 1.0:
            raise InputError(f"pair style {self.name}: viscosities of these units are not known",
                             "use units lj, si, cgs, micro or nano")
        walls = [fix.id for fix in system.fixes.values() if fix.style.startswith("wall/")]
        if walls and self.on["FLD"] and self.on["VF"]:
            raise InputError(f"pair style {self.name}: fix {walls[0]} takes a part of the volume that is not known",
                             "give VF 0, the last word of pair_style")
        super().init()
        radius = atoms.read("radius")
        largest, smallest = system.ranks.max([radius.max(initial=-np.inf), -radius.min(initial=np.inf)]) * [1.0, -1.0]
        if smallest <= 0.0:
            raise InputError(f"pair style {self.name}: there are atoms without a size", "use set diameter")
        if not self.poly and smallest < largest:
            raise InputError("pair style brownian: spheres have different sizes", "use pair_style brownian/poly")
        self.solid = float(system.ranks.sum(4.0 / 3.0 * math.pi * (radius**3).sum())) if self.on["VF"] else 0.0

    def statics(self) -> dict[str, Any]:
        return {"POLY": self.poly, **{name: self.on[name] for name in ("LOG", "FLD", "HI")}}

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        system = self.system
        strength = math.sqrt(24.0 * system.units.boltz * self.heat * 6.0 * math.pi * self.viscosity / system.dt)
        return (atoms.view("radius"), atoms.view("id"), torque_of(atoms), system.space.control, ahead(system), self.seed,
                strength, self.solid, system.box_view())


@pair_style("brownian/poly")
class BrownianPoly(Brownian):
    """Spheres of several sizes.

    pair_style brownian/poly mu LOG FLD inner r_c T SEED [HI VF]      as of brownian
    pair_coeff I J [inner r_c]
    """

    poly = True

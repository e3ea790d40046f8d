"""Hydrogen bonds of the DREIDING force field (Mayo, Olafson and Goddard, J. Phys. Chem. 94, 8897).

E = S(r) R(r) cos^n(theta + 180 - theta0) for r < r_out and |theta - theta0| < 180 - theta_c, with r from donor D to acceptor A
and theta the angle D-H-A.

R = eps [5 (sigma/r)^12 - 6 (sigma/r)^10]                        hbond/dreiding/lj
R = D0 [exp(-2 alpha (r - r0)) - 2 exp(-alpha (r - r0))]         hbond/dreiding/morse
S = (r_out^2 - r^2)^2 (r_out^2 + 2 r^2 - 3 r_in^2) / (r_out^2 - r_in^2)^3 from r_in to r_out, 1 below

    pair_style hbond/dreiding/lj n r_in r_out theta_c                             degrees; theta0 is 180
    pair_style hbond/dreiding/lj/angleoffset n r_in r_out theta_c theta0
    pair_coeff I J H i|j eps sigma [n [r_in r_out [theta_c [theta0]]]]            morse: D0 alpha r0 for eps sigma

Donors are of type I (i) or J (j), in the order of their numbers: i is the lower one. Hydrogens are of type H (*: any) and
bonded to a donor. A pair of types may have several lines, for several hydrogens or both donors. It is meant as a part of
hybrid/overlay. special_bonds lj weights acceptors that few bonds link to the donor. compute pair gives how many hydrogen bonds
there are, and their energy. Forces are slopes; those of the reference are not from r_in to r_out, nor with angleoffset.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.hbond.scheme import HBondParameters, hbond_scheme
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coefficients import check_cutoff
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import Portable, exp, f64, portable, sqrt
from everlet.registry import Registry

Triple = tuple[int, int, int]
FIELDS = ("cut2", "inner2", "reach", "n", "turn_cos", "turn_sin")  # reach: cos theta_c; turn: 180 - theta0


class HydrogenBonds(FileStyle):
    """`triples`: coefficients of the types of donor, acceptor and hydrogen."""

    schemes: ClassVar[Registry[type[Scheme]]] = hbond_scheme
    of_kernels = HBondParameters
    terms = 2
    radial: ClassVar[Portable]  # of r^2: the energy R, and its slope over r
    numbers_of: ClassVar[tuple[str, ...]]  # R
    offset_given: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return "n r_in r_out theta_c" + " theta0" * self.offset_given

    def configure(self, args: list[str]) -> None:
        count = 4 + self.offset_given
        arguments(args, count, count, f"pair_style {self.name} {self.words}")
        self.args, self.triples = list(args), getattr(self, "triples", dict[Triple, Values]())
        self.setting = self.bond([], args)

    def bond(self, given: list[str], words: list[str]) -> Values:
        """n, cutoffs and angles from words, after the numbers of R."""
        values = dict(zip(self.numbers_of, (number(word, "a coefficient") for word in given), strict=False))
        values |= {"n": float(integer(words[0], "a power of the cosine"))} if words else {}
        for name, word in zip(("inner", "cut", "angle", "rest"), words[1:], strict=False):
            values[name] = number(word, "an angle" if name in ("angle", "rest") else "a cutoff")
        values = getattr(self, "setting", {"rest": 180.0}) | values
        if values["n"] < 0:
            raise InputError(f"pair style {self.name}: power {values['n']:g} of the cosine", "give 0 or more, 4 is usual")
        check_cutoff(values["cut"])
        if not 0.0 <= values["inner"] < values["cut"]:
            raise InputError(f"pair style {self.name}: r_in {values['inner']:g} is not below r_out {values['cut']:g}",
                             "give the inner cutoff first")
        for name in ("angle", "rest"):
            if not 0.0 <= values[name] <= 180.0:
                raise InputError(f"pair style {self.name}: an angle of {values[name]:g}", "angles are from 0 to 180 degrees")
        return values

    def coeff(self, args: list[str]) -> None:
        own = len(self.numbers_of)
        usage = f"pair_coeff I J H i|j {' '.join(self.numbers_of)} [n [r_in r_out [theta_c{' [theta0]' * self.offset_given}]]]"
        arguments(args, 4 + own, 8 + own + self.offset_given, usage)
        more = args[4 + own :]
        if len(more) == 2:
            raise InputError(f"pair_coeff {' '.join(args)}: one cutoff alone", f"usage: {usage}")
        donor = one_of("donor", args[3], ("i", "j"), "write i or j: which of the two types is the donor")
        first, second = (0, 1) if donor == "i" else (1, 0)
        values = self.bond(args[4 : 4 + own], more)
        for pair in self.type_pairs(args[0], args[1]):
            for hydrogen in self.system.type_range(args[2]):
                self.triples[pair[first], pair[second], hydrogen] = values
        self.lines.append(args)

    def given(self) -> set[tuple[int, int]]:
        return {(min(d, a), max(d, a)) for d, a, _ in self.triples}

    def init(self) -> None:
        if not self.triples:
            raise InputError("no pair_coeff", f"give pair_coeff I J H i ... for pair style {self.name}")
        self.need_newton()
        if "special" not in self.system.atoms.fields:
            raise InputError(f"pair style {self.name} finds hydrogens by their bonds, and atoms have none",
                             "use atom_style full or molecular")
        n = self.system.ntypes
        self.fields, self.triple_fields = (), (*FIELDS, *self.numbers_of)
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array, self.pairs = np.zeros((n + 1, n + 1, 0)), {}
        self.triple_array = np.zeros((n + 1, n + 1, n + 1, len(self.triple_fields)))
        for (d, a, h), values in self.triples.items():
            turn, cut = math.radians(180.0 - values["rest"]), values["cut"]
            self.cutoffs[d, a] = self.cutoffs[a, d] = max(cut, self.cutoffs[a, d])
            self.triple_array[d, a, h] = [cut**2, values["inner"] ** 2, math.cos(math.radians(values["angle"])), values["n"],
                                          math.cos(turn), math.sin(turn), *(values[name] for name in self.numbers_of)]
        self.max_cutoff = float(self.cutoffs.max())

    def state(self) -> dict[str, Any]:
        return super().state() | {"shift": False}


@pair_style("hbond/dreiding/lj")
class LennardJones(HydrogenBonds):
    numbers_of = ("epsilon", "sigma")

    @portable
    def radial(r2: f64, p):
        s2 = p.sigma * p.sigma / r2
        s4 = s2 * s2
        s10 = s4 * s4 * s2
        return p.epsilon * s10 * (5.0 * s2 - 6.0), 60.0 * p.epsilon * s10 * (1.0 - s2) / r2


@pair_style("hbond/dreiding/morse")
class Morse(HydrogenBonds):
    numbers_of = ("d0", "alpha", "r0")

    @portable
    def radial(r2: f64, p):
        r = sqrt(r2)
        y = exp(-p.alpha * (r - p.r0))
        return p.d0 * y * (y - 2.0), 2.0 * p.d0 * p.alpha * y * (1.0 - y) / r


for family, law in (("lj", LennardJones), ("morse", Morse)):
    parts = {"offset_given": True, "__module__": __name__}
    pair_style(f"hbond/dreiding/{family}/angleoffset")(type(f"{law.__name__}Offset", (law,), parts))

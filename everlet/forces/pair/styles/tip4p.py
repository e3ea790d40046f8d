"""Water whose negative charge is at a distance d from the oxygen, on the axis of symmetry (TIP4P), alone or with Lennard-Jones.

    M = O + (a/2) (H1 + H2 - 2 O), a = d / (r0 cos(theta0/2)) of a bond type and an angle type

The hydrogens of an oxygen have the two ids after its own. Forces on M are those of the three atoms in the same proportions.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from everlet.errors import InputError, arguments, integer
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.charged import ChargedParameters, ChargedStyle
from everlet.forces.pair.coulomb import Cut, Long
from everlet.forces.pair.quantities import length
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.pair.schemes.hybrid import HybridScheme
from everlet.forces.pair.schemes.lists import Full
from everlet.forces.pair.schemes.sites import SitesFull, site_scheme
from everlet.forces.pair.sites import ChargeSites
from everlet.forces.pair.softened import SoftLong
from everlet.forces.pair.styles.hybrid import Overlay
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.forces.pair.styles.lj_cut_soft import LJCutSoft
from everlet.portable import Space
from everlet.registry import Registry
from everlet.state.system import System

WORDS = ("O type", "H type", "bond type", "angle type")


class SiteParameters(ChargedParameters):
    by_pairs = False  # energies of single atoms are not available

    def __init__(self, style: Tip4p, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.water = style.water

    @property
    def of_distance(self) -> bool:
        return True

    def sites(self, system: System) -> ChargeSites:
        return ChargeSites(system, *self.water)


class Tip4p(ChargedStyle):
    """The Coulomb part. `water`: types of O and H, and a."""

    settings = {"distance": length, "cut": length}
    schemes: ClassVar[Registry[type[Scheme]]] = site_scheme
    two_cutoffs = ""
    counts_mixed = own_cutoffs = False

    def configure(self, args: list[str]) -> None:
        count = 4 + len(self.settings)
        arguments(args, count, count, f"pair_style {self.name} O_type H_type bond_type angle_type {' '.join(self.settings)}")
        self.types = [integer(word, f"the {name}") for name, word in zip(WORDS, args[:4], strict=True)]
        super().configure(args[4:])
        self.args = list(args)

    @property
    def water(self) -> tuple[int, int, float]:
        oxygen, hydrogen, bond, angle = self.types
        for kind in (oxygen, hydrogen):
            self.system.type_of(str(kind))
        styles = self.system.bonded["bond"], self.system.bonded["angle"]
        if None in styles:
            raise InputError(f"pair style {self.name} takes the shape of water from a bond type and an angle type",
                             "use bond_style and angle_style, for example harmonic, with bond_coeff and angle_coeff")
        half = math.radians(0.5 * styles[1].rest(angle))
        return oxygen, hydrogen, self.setting["distance"] / (styles[0].rest(bond) * math.cos(half))

    def init(self) -> None:
        self.beyond = 2.0 * self.setting["distance"]
        super().init()

    def numbers(self, space: Space, precision: str) -> SiteParameters:
        return SiteParameters(self, space, precision)


@pair_style("tip4p/cut")
class Tip4pCut(Tip4p, Cut):
    """E = C q_i q_j / r between charges, for r < r_q.

    pair_style tip4p/cut O H B A d r_q         types of O, H, bond and angle; d, r_q: length
    pair_coeff I J
    """


@pair_style("tip4p/long")
class Tip4pLong(Tip4p, Long):
    """E = C q_i q_j erfc(g r)/r between charges, for r < r_q; kspace_style pppm/tip4p has the rest and chooses g.

    pair_style tip4p/long O H B A d r_q
    pair_coeff I J
    """

    def need_solver(self) -> None:
        super().need_solver()
        if not self.system.kspace.sites:
            raise InputError(f"kspace_style {self.system.kspace.name} has charges at atoms, pair style {self.name} has not",
                             "use kspace_style pppm/tip4p")

    def waters(self) -> set[tuple[int, int, float] | None]:
        return {self.water}

    def numbers(self, space: Space, precision: str) -> SiteParameters:
        self.need_solver()
        return super().numbers(space, precision)


class BareHydrogens(PairStyle):
    """Before a Lennard-Jones style: between atoms other than water's hydrogens. Whatever coefficients pairs with one of these
    have, they count in tail corrections alone, as in the reference. `user`: the style that it is a part of."""

    def __init__(self, system: System, args: list[str], user: str, hydrogen: int):
        super().__init__(system, args)
        self.user, self.hydrogen = user, hydrogen

    def ready(self) -> None:
        super().ready()
        h = self.hydrogen
        if h <= self.system.ntypes and self.pairs[h, h]["epsilon"] != 0.0:
            raise InputError(f"pair style {self.user} leaves Lennard-Jones energies of water's hydrogens out, but epsilon of "
                             f"type {h} is {self.pairs[h, h]['epsilon']:g}",
                             f"use pair_coeff {h} {h} 0 1, or pair_style hybrid/overlay of lj/cut and {self.user[7:]}")
        self.cutoffs[h : h + 1] = self.cutoffs[:, h : h + 1] = 0.0


class Between(BareHydrogens, LJCut):
    pass


class SoftBetween(BareHydrogens, LJCutSoft):
    pass


class LJTip4p(Overlay):
    """Lennard-Jones between atoms and a style of charges, as one style with the coefficients of the first. `words`: arguments
    of pair_style between the distance and the cutoffs; `of_first`, `of_charges`: which of them the two styles have."""

    charges: ClassVar[type[Tip4p]]
    first: ClassVar[type[BareHydrogens]] = Between
    words: ClassVar[tuple[str, ...]] = ()
    of_first: ClassVar[tuple[int, ...]] = ()
    of_charges: ClassVar[tuple[int, ...]] = ()

    def configure(self, args: list[str]) -> None:
        count = 6 + len(self.words)
        arguments(args, count, count + 1, f"pair_style {self.name} O_type H_type bond_type angle_type "
                                          f"{' '.join(['distance', *self.words, 'cutoff'])} [cutoff of charges]")
        before, more = self.sub_styles, args[5 : count - 1]
        charges = self.charges(self.system, [*args[:5], *(more[k] for k in self.of_charges), args[-1]])
        given = [*(more[k] for k in self.of_first), args[count - 1]]
        self.sub_styles = [self.first(self.system, given, self.name, charges.types[1]), charges]
        if before:  # the same style again keeps its coefficients, with the new cutoff
            self.sub_styles[0].explicit = {pair: values | {"cut": self.sub_styles[0].setting["cut"]}
                                     for pair, values in before[0].explicit.items()}
        self.factors, self.names, self.args, self.setting, self.charged = [1.0, 1.0], ["", ""], list(args), {}, True
        self.schemes = Registry("scheme of pair styles of TIP4P")
        self.schemes("full")(HybridScheme.of((Full, SitesFull)))

    def coeff(self, args: list[str]) -> None:
        self.sub_styles[0].coeff(args)

    def given(self) -> set[tuple[int, int]]:
        return self.sub_styles[0].given()

    def modify(self, args: list[str]) -> None:
        if args[:1] == ["pair"]:
            raise InputError("pair_modify pair is for hybrid pair styles", "remove it")
        super().modify(args)

    def init(self) -> None:
        first, second = self.sub_styles
        second.coeff(["*", "*", *["0"] * len(second.coeffs)])
        for sub in self.sub_styles:
            sub.ready()
            for pair in second.explicit if sub is first and second.coeffs else ():
                second.explicit[pair] |= {name: first.pairs[pair][name] for name in second.coeffs}
            self.warnings += sub.warnings
            sub.warnings.clear()
        self.cutoffs, self.max_cutoff = np.maximum(first.cutoffs, second.cutoffs), max(first.max_cutoff, second.max_cutoff)
        self.etail, self.ptail, self.mixed = first.etail, first.ptail, first.mixed

    def data_coeffs(self, unlike: bool = False) -> list[str]:
        return self.sub_styles[0].data_coeffs(unlike)


@pair_style("lj/cut/tip4p/cut")
class LJCutTip4pCut(LJTip4p):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < r_c between atoms that are not H, C q_i q_j / r for r < r_q of charges.

    pair_style lj/cut/tip4p/cut O H B A d r_c [r_q]    types of O, H, bond and angle; d, r_c, r_q: length
    pair_coeff I J eps sigma [r_c]                     eps: energy, sigma: length
    """

    charges = Tip4pCut


@pair_style("lj/cut/tip4p/long")
class LJCutTip4pLong(LJTip4p):
    """The same with C q_i q_j erfc(g r)/r; kspace_style pppm/tip4p has the rest and chooses g.

    pair_style lj/cut/tip4p/long O H B A d r_c [r_q]
    pair_coeff I J eps sigma [r_c]
    """

    charges = Tip4pLong


@pair_style("tip4p/long/soft")
class Tip4pLongSoft(Tip4pLong, SoftLong):
    """E = C q_i q_j lambda^n erfc(g r) / sqrt(alpha_c (1 - lambda)^2 + r^2) between charges, for r < r_q; kspace_style
    pppm/tip4p has the rest, of whole charges. (The reference's forces are not the slope of this energy unless lambda is 1.)

    pair_style tip4p/long/soft O H B A d n alpha_c r_q     types of O, H, bond and angle; d, r_q: length, alpha_c: length^2
    pair_coeff I J lambda
    """

    settings = {"distance": length, **SoftLong.settings}


@pair_style("lj/cut/tip4p/long/soft")
class LJCutTip4pLongSoft(LJTip4p):
    """The same, and the energy of lj/cut/soft for r < r_c between atoms that are not H.

    pair_style lj/cut/tip4p/long/soft O H B A d n alpha_lj alpha_c r_c [r_q]
    pair_coeff I J eps sigma lambda [r_c]                  eps: energy, sigma: length
    """

    charges, first = Tip4pLongSoft, SoftBetween
    words, of_first, of_charges = ("n", "alpha_lj", "alpha_c"), (0, 1), (0, 2)

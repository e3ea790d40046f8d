"""Pair styles whose forces depend on the charges of the two atoms.

    E = E_vdwl(r) + C q_i q_j g(r)          C = qqr2e / dielectric, which the driver knows

A style writes g, the energy of two charges with C q_i q_j = 1, and the rest as any pair style does, if there is a rest:

    @pair_style("lj/cut/coul/cut")
    class LJCutCoulCut(ChargedStyle):
        coeffs, table, pair = …                              # van der Waals part; or: def energy(r2, p)
        @portable
        def coulomb(r2, p): return ir * ir2, ir              # g: force / r, energy; or: def coulomb_energy(r2, p) alone

Loops get one function with both parts apart (`parts`), so that they can be weighted and summed by themselves. Numbers that are
the same for all pairs of types are read from `data`, not from a table:

    data[0]  C        data[1]  squared cutoff of charges       data[2] … [5]  of the Coulomb part       data[6] …  of the rest

What styles have in common is in coulomb.py: a style is a Coulomb part and, if there is a rest, another pair style.

    class LJCutCoulLong(Long, LJCut): …
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.coefficients import check_cutoff
from everlet.forces.pair.formulas import Values, differentiated, with_data
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme, charged_scheme
from everlet.forces.pair.self_loop import SELF, SELF_PERATOM
from everlet.portable import Constants, Portable, Space, View, lookup, parallel_for, portable, rsqrt, where
from everlet.registry import Registry
from everlet.state.atom_styles import need_field
from everlet.state.ledger import SECOND, Tally
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.neighbor.surroundings import Surroundings


@portable
def nothing(r2, p, data):
    """Of styles without a van der Waals part."""
    return 0.0 * r2, 0.0 * r2


@portable
def together(r2, p, data):
    """Where both parts end: at the same distance."""
    return r2 < p.cut2, r2 < p.cut2


@portable
def one_for_charges(r2, p, data):
    return r2 < p.vdwl2, r2 < lookup(data, 1.0)


@portable
def two_for_each(r2, p, data):
    return r2 < p.vdwl2, r2 < p.coul2


ENDS = {"": together, "all": one_for_charges, "pair": two_for_each}


@functools.cache
def parts(first: Portable, second: Portable, ends: Portable) -> Portable:
    """(r2, p, data, q_i, q_j) -> force / r and energy of the van der Waals part, then of the Coulomb part, each zero beyond
    its own cutoff. Loops subtract p.offset from the first energy, also where there is no such part any more."""

    @portable
    def with_charges(r2, p, data, q_i, q_j):
        strength, energy = first(r2, p, data)
        pull, potential = second(r2, p, data)
        k = lookup(data, 0.0) * q_i * q_j
        near, reached = ends(r2, p, data)
        return (where(near, strength, 0.0), where(near, energy, p.offset),
                where(reached, k * pull, 0.0), where(reached, k * potential, 0.0))

    return with_charges


@functools.cache
def unmasked(first: Portable, second: Portable) -> Portable:
    """The same where both parts of all pairs of types end at one distance, beyond which loops do not look."""

    @portable
    def to_one_distance(r2, p, data, q_i, q_j):
        strength, energy = first(r2, p, data)
        pull, potential = second(r2, p, data)
        k = lookup(data, 0.0) * q_i * q_j
        return strength, energy, k * pull, k * potential

    return to_one_distance


@portable
def point_charges(r2, p, data):
    """1/r: force / r, energy."""
    ir = rsqrt(r2)
    return ir * ir * ir, ir


@functools.cache
def without(points: Portable, overlap: Portable) -> Portable:
    """Charges that are clouds: force / r and energy of points less what clouds have less, both functions of (r2, p, data)."""

    @portable
    def of_clouds(r2, p, data):
        pull, potential = points(r2, p, data)
        less, lower = overlap(r2, p, data)
        return pull - less, potential - lower

    return of_clouds


@functools.cache
def weighted(both: Portable, ends: Portable, bare: Portable | None, rest: Portable | None) -> Portable:
    """The same with the weights of a special pair: w of the first part and v of charges. `rest`: see ChargedStyle.

    Cut Coulomb energies are multiplied by v; of those that stand for all images of a charge the part 1 - v of the `bare` one,
    C q_i q_j / r of most, is taken away.
    """

    @portable
    def scaled(r2, p, data, q_i, q_j, w, v):
        strength, energy, pull, potential = both(r2, p, data, q_i, q_j)
        return w * strength, w * (energy - p.offset) + p.offset, v * pull, v * potential

    @portable
    def without_bare(r2, p, data, q_i, q_j, w, v):
        strength, energy, pull, potential = both(r2, p, data, q_i, q_j)
        bare_pull, bare_potential = bare(r2, p, data)
        near, reached = ends(r2, p, data)
        k = where(reached, (1.0 - v) * lookup(data, 0.0) * q_i * q_j, 0.0)
        return (w * strength, w * (energy - p.offset) + p.offset, pull - k * bare_pull, potential - k * bare_potential)

    chosen = scaled if bare is None else without_bare
    if rest is None:
        return chosen

    @portable
    def with_rest(r2, p, data, q_i, q_j, w, v):
        strength, energy, pull, potential = chosen(r2, p, data, q_i, q_j, w, v)
        more, higher = rest(r2, p, data)
        near, reached = ends(r2, p, data)
        return strength + where(near, (1.0 - w) * more, 0.0), energy + where(near, (1.0 - w) * higher, 0.0), pull, potential

    return with_rest


@functools.cache
def at_unit_charges(both: Portable) -> Portable:
    """Force / r and energy of two charges 1, as if it were one part: for checks."""

    @portable
    def of_units(r2, p, data):
        strength, energy, pull, potential = both(r2, p, data, 1.0, 1.0)
        return strength + pull, energy + potential

    return of_units


class ChargedParameters(Parameters):
    """With the squared cutoffs of both parts. `weighted` is the function for special pairs."""

    charged = True
    sums = 8

    def __init__(self, style: ChargedStyle, space: Space, precision: str):
        super().__init__(style, space, precision)
        both = style.parts(precision)
        self.checked = (("pair", at_unit_charges(both)), *self.common)
        alone = parts(nothing, style.coulomb_function(precision), ENDS[style.two_cutoffs])
        ends = ENDS[style.two_cutoffs]
        bare = style.bare if style.for_images else None
        self.weighted, self.weighted_charges = (weighted(one, ends, bare, style.rest) for one in (both, alone))
        self.rest = style.rest is not None
        self.for_images, self.leaves_out = style.for_images, style.leaves_out
        self.closest = 2.0**-26 if style.cut_coul else self.closest  # where tables of long-range charges may begin
        self.alike = style.alike
        self.own = Constants(style.system.ntypes + 1, space)  # self energy of an atom of each type, for q = 1
        self.has_self = style.self_energy() != 0.0
        types = {k for pair in style.pairs for k in pair}
        factor = style.constant() * style.self_energy()
        self.own.set([factor if k in types else 0.0 for k in range(style.system.ntypes + 1)])

    def function(self, style: Any) -> Portable:
        return style.parts(self.precision)

    def added(self, style: Any) -> dict[str, np.ndarray]:
        return style.driver_numbers()

    def own_energies(self, system: System, tally: Tally) -> None:
        if self.has_self:
            atoms = system.atoms
            tally.reduce(system.space, atoms.n, SELF, atoms.charges(), atoms.view("type"), self.own.view, at=SECOND)

    def own_numbers(self, near: Surroundings, energy: View, factor: float) -> View:
        atoms = near.system.atoms
        if self.has_self:
            parallel_for(near.system.space, near.n, SELF_PERATOM, atoms.charges(), atoms.view("type"), self.own.view, factor,
                         energy)
        return atoms.charges()

    def check_float32(self, style: Any) -> None:
        """With the charge of an electron, in the units of the run."""
        e = style.system.units.qelectron
        both, data = style.parts(), style.data.astype(np.float32)
        for i, j in style.pairs:
            p = style.plain_numbers(i, j)
            with np.errstate(all="ignore"):
                for part in (0.5, 0.9):
                    r2 = (part * style.cutoffs[i, j]) ** 2
                    exact = np.array(both(r2, p, data, e, e))
                    low = SimpleNamespace(**{name: np.float32(value) for name, value in vars(p).items()})
                    found = np.array(both(np.float32(r2), low, data, np.float32(e), np.float32(e)), np.float64)
                    if np.isfinite(exact).all() and not (np.abs(found - exact) <= 1e-2 * np.abs(exact).max() + 1e-30).all():
                        raise InputError(f"pair style {style.name} leaves the range of single precision in units "
                                         f"{style.system.units.name}",
                                         "use --precision double, or units in which lengths and energies are near 1")


class ChargedStyle(PairStyle):
    """Base of pair styles with charges. After `init` also

    vdwl_cutoffs coul_cutoffs   (n+1, n+1)   where each part ends

    two_cutoffs   "": one for both parts; "pair": pair_style and pair_coeff may give a second one, of charges, after the first;
                  "all": pair_style may, and it holds for all pairs
    own_cutoffs   pair_coeff may end in a cutoff
    """

    charged = costly = True
    schemes: ClassVar[Registry[type[Scheme]]] = charged_scheme
    two_cutoffs: ClassVar[str] = ""
    own_cutoffs: ClassVar[bool] = True
    coulomb: ClassVar[Portable | None] = None
    coulomb_energy: ClassVar[Portable | None] = None
    bare: ClassVar[Portable] = point_charges  # what special pairs are without, if charges stand for all their images
    rest: Portable | None = None  # what special pairs have of the first part besides: 1 - w times it (a solver has it of all)
    charges: bool = True  # forces depend on them; not if an argument has switched them off
    leaves_out: ClassVar[bool] = False  # … but for those with weights 0 of both parts, which have nothing

    # ---- input
    def configure(self, args: list[str]) -> None:
        count, second = len(self.settings), bool(self.two_cutoffs)
        arguments(args, count, count + second, " ".join(["pair_style", self.name, *self.settings, "[cut_coul]" * second]))
        super().configure(args[:count])
        self.args = list(args)
        if second:
            cut = number(args[count], "a cutoff of charges") if len(args) > count else self.setting["cut"]
            check_cutoff(cut)
            self.setting["cut_coul"] = cut
            for values in self.explicit.values():
                values["cut_coul"] = cut

    @property
    def cut_words(self) -> tuple[str, ...]:
        return () if not self.own_cutoffs else ("cut", "cut_coul") if self.two_cutoffs == "pair" else ("cut",)

    @property
    def charge_cutoff(self) -> float:
        """The cutoff of charges that pair_style gives."""
        return self.setting.get("cut_coul", self.setting["cut"])

    def pair_cutoffs(self, given: list[float]) -> Values:
        """The first of pair_coeff is for both parts, unless there is a second."""
        found = super().pair_cutoffs(given[:1])
        if self.two_cutoffs == "pair":
            found["cut_coul"] = given[-1] if given else self.setting["cut_coul"]
        if self.two_cutoffs == "all":
            found["cut_coul"] = self.setting["cut_coul"]
        return found

    def mix(self, a: Values, b: Values) -> Values:
        return super().mix(a, b) | ({"cut_coul": a["cut_coul"]} if self.two_cutoffs == "all" else {})

    # ---- before a run
    def init(self) -> None:
        if self.charges:
            need_field(self.system.atoms, "q", f"pair style {self.name}")
        own = self.coulomb_numbers()
        numbers = [self.constant(), self.charge_cutoff**2, *own, *[0.0] * (4 - len(own)), *self.other_numbers()]
        self.data = np.concatenate([numbers, *self.tables()])
        super().init()
        self.vdwl_cutoffs, self.coul_cutoffs = np.zeros_like(self.cutoffs), np.zeros_like(self.cutoffs)
        for (i, j), values in self.pairs.items():
            self.vdwl_cutoffs[i, j] = self.vdwl_cutoffs[j, i] = super().reach(values)
            self.coul_cutoffs[i, j] = self.coul_cutoffs[j, i] = values.get("cut_coul", values["cut"])
        some = not self.charges or bool(self.system.atoms.read("q").any())
        if self.system.natoms and not self.system.ranks.any(some):
            self.warnings.append(f"pair style {self.name}: all charges are zero (use: set ... charge, or read_data)")

    def reach(self, values: Values) -> float:
        return max(super().reach(values), values.get("cut_coul", 0.0))

    def shift_at(self, i: int, j: int) -> float:
        """The van der Waals part alone is shifted."""
        return self.pairs[i, j]["cut"] if self.pair is not None or self.energy is not None else 0.0

    def constant(self) -> float:
        """Energy of two charges 1 at distance 1."""
        return self.system.coulomb if self.qqr2e is None else self.qqr2e / self.system.dielectric

    def coulomb_numbers(self) -> tuple[float, ...]:
        """data[2] … data[5]"""
        return ()

    def other_numbers(self) -> tuple[float, ...]:
        """data[6] …"""
        return ()

    def tables(self) -> tuple[np.ndarray, ...]:
        """What follows in data after these."""
        return ()

    def self_energy(self) -> float:
        """Energy of one atom by itself, with C q^2 = 1."""
        return 0.0

    def numbers(self, space: Space, precision: str) -> ChargedParameters:
        return ChargedParameters(self, space, precision)

    def driver_numbers(self) -> dict[str, np.ndarray]:
        """What formulas of both parts need for each pair of types besides the style's own parameters."""
        own = self.cutoffs > 0.0
        found = {"vdwl2": np.where(own, self.vdwl_cutoffs, 0.0) ** 2, "coul2": np.where(own, self.coul_cutoffs, 0.0) ** 2}
        return {name: found[name] for name in {"": (), "all": ("vdwl2",), "pair": ("vdwl2", "coul2")}[self.two_cutoffs]}

    # ---- the formula
    def pair_function(self) -> Portable:
        """The van der Waals part."""
        return nothing if self.pair is None and self.energy is None else super().pair_function()

    def coulomb_function(self, precision: str) -> Portable:
        """The Coulomb part, with C q_i q_j = 1, for kernels of a precision."""
        if self.coulomb is not None:
            return with_data(self.coulomb)
        if self.coulomb_energy is None:
            raise InputError(f"pair style {self.name} has neither coulomb(r2, p) nor coulomb_energy(r2, p)",
                             "write one of them")
        return with_data(differentiated(self.coulomb_energy, self.fields))

    @property
    def alike(self) -> bool:
        """Both parts of all pairs of types end at one distance."""
        own = (slice(1, None),) * 2
        return bool((np.array([self.cutoffs[own], self.vdwl_cutoffs[own], self.coul_cutoffs[own]]) == self.cutoffs[1, 1]).all())

    def parts(self, precision: str = "double") -> Portable:
        """Both, as loops call them."""
        both = self.pair_function(), self.coulomb_function(precision)
        return unmasked(*both) if self.alike else parts(*both, ENDS[self.two_cutoffs])

    def plain_numbers(self, i: int, j: int) -> SimpleNamespace:
        """All parameters of one pair of types."""
        found = dict(zip(self.fields, self.table_array[i, j].tolist(), strict=True))
        added = {name: float(array[i, j]) for name, array in self.driver_numbers().items()}
        return SimpleNamespace(**found, **added, offset=float(self.offset[i, j]), cut2=float(self.cutoffs[i, j] ** 2))

    def single(self, r2: float, i: int, j: int, q_i: float = 1.0, q_j: float = 1.0) -> tuple[float, float]:
        if r2 >= self.cutoffs[i, j] ** 2:
            return 0.0, 0.0
        p = self.plain_numbers(i, j)
        strength, energy, pull, potential = self.parts()(r2, p, self.data, q_i, q_j)
        return float(strength + pull), float(energy - p.offset + potential)

"""A pair style's numbers as kernels need them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair.peratom_loops import peratom_loop
from everlet.forces.pair.scaling import scaled_charges, scaled_pair
from everlet.forces.terms import not_per_atom
from everlet.portable import Kernel, Portable, Space, View, parallel_for
from everlet.portable.language.dtypes import dtype

if TYPE_CHECKING:  # the first knows this file
    from everlet.forces.pair.base import PairStyle
    from everlet.neighbor.surroundings import Surroundings
    from everlet.state.ledger import Tally
    from everlet.state.system import System

FAST_BYTES = 8192  # of shared memory for each block: larger tables would leave room for fewer blocks


class Parameters:
    """A style's numbers in a space's memory, and the statics its kernels are compiled with.

    by_pairs   energies are those of pairs, each a function of the distance
    embedded   and of a number of each of the two atoms
    charged    which are their charges: the function gives force and energy in two parts (charged.py)
    sums       numbers that a tally adds up: E xx yy zz xy xz yz, with charges also the Coulomb energy
    for_images they stand for all images of a charge: what weights of special pairs mean for them (charged.py);
                leaves_out: special pairs of weights 0 have nothing nevertheless; rest: they always have something
    closest    part of a squared cutoff below which r^2 of special pairs does not fall
    alike      all parts of all pairs of types end at one distance, beyond which the function has no meaning
    longest    the longest cutoff; in a hybrid style lists may reach further
    weighted   the function for special pairs, if there are charges; weighted_charges: where the other part counts nothing
    weights    of special pairs, "lj" and "coul": those of special_bonds, unless the style has its own
    checked    statics of the loop that evaluates the formula by itself
    factor     of hybrid/scaled: forces of `statics` are multiplied by it, energies and those of `plain` are not
    """

    by_pairs: ClassVar[bool] = True
    embedded: ClassVar[bool] = False
    charged: ClassVar[bool] = False
    for_images: bool = False
    leaves_out: bool = False
    rest: bool = False
    closest: float = 2.0**-46
    alike: bool = False
    weighted: Portable
    weighted_charges: Portable
    sums: ClassVar[int] = 7

    def __init__(self, style: PairStyle, space: Space, precision: str):
        style.ready()
        self.follows = style.follow is not None
        if self.follows and not self.of_distance:
            raise InputError(f"pair style {style.name} in hybrid/scaled cannot have a variable as its factor",
                             "give a number: variables are for styles of distances between two atoms")
        self.name, self.precision, self.factor, special = style.name, precision, style.factor, style.system.topology.special
        self.weights = {"lj": special.felt() if style.whole else special.lj, "coul": special.coul} | style.weights
        self.longest = float(style.cutoffs.max())
        real = dtype("real", precision)
        ranges = style.system.units.name, style.table_array.tobytes(), style.cutoffs.tobytes()
        if real is np.float32 and style.fits_float32 != ranges:
            self.check_float32(style)
            style.fits_float32 = ranges
        n = style.system.ntypes
        self.kinds = n + 1
        names, numbers = self._numbers(style)
        own = numbers[1:, 1:].reshape(-1, len(names))
        compared = self.by_pairs and not self.embedded and not style.adapted
        differs = (own != own[:1]).any(axis=0) if compared else np.ones(len(names), bool)
        self.order = np.argsort(~differs, kind="stable")  # those that differ come first, side by side
        self.fields = tuple(names[k] for k in self.order)
        self.table = View(numbers.size, real, space)
        self.table.put(numbers[..., self.order].reshape(-1))
        style.live.add(self)
        self.data = View(max(style.data.size, 1), real, space)
        if style.data.size:
            self.data.put(style.data)
        # tables of several types are read for every pair: GPUs keep them in shared memory, if they are small
        self.fast = (("table", numbers.size),) if n > 1 and self.table.data.nbytes <= FAST_BYTES else ()
        self.common: tuple[tuple[str, Any], ...] = (("MANY", n > 1), ("NP", len(self.fields)), ("VARIED", int(differs.sum())))
        function = self.function(style)
        self.plain: tuple[tuple[str, Any], ...] = (("pair", function), *self.common)
        self.statics: tuple[tuple[str, Any], ...] = self.plain
        if self.scaled:
            self.statics = (("pair", self.with_factor(function)), *self.common)
        self.checked: tuple[tuple[str, Any], ...] = self.plain

    @property
    def scaled(self) -> bool:
        return self.factor != 1.0 or self.follows

    def take_factor(self, style: PairStyle, factor: float) -> None:
        """A variable says another one."""
        if factor != self.factor:
            self.factor = factor
            self.renew(style)

    def with_factor(self, function: Any) -> Any:
        """The formula with forces that are multiplied by the factor."""
        return scaled_charges(function) if self.charged else scaled_pair(function)

    def _numbers(self, style: PairStyle) -> tuple[tuple[str, ...], np.ndarray]:
        """Names and values of all parameters, by pair of types."""
        scale = {"factor": np.full_like(style.cutoffs, self.factor)} if self.scaled else {}
        added = {**self.added(style), **scale, "cut2": style.cutoffs**2, "offset": style.offset}
        numbers = np.concatenate([style.table_array, *(array[..., None] for array in added.values())], axis=2)
        return (*style.fields, *added), numbers

    def renew(self, style: PairStyle) -> None:
        """Coefficients have changed in the middle of a run (fix adapt)."""
        self.table.put(self._numbers(style)[1][..., self.order].reshape(-1))

    @property
    def of_distance(self) -> bool:
        """The function takes the distance and parameters, and charges if there are any."""
        return self.by_pairs and not self.embedded

    @property
    def energies(self) -> tuple[str, ...]:
        """Those of the ledger that it has."""
        return ("vdwl", "coul") if self.charged else ("vdwl",)

    def added(self, style: Any) -> dict[str, np.ndarray]:
        """Parameters of each pair of types besides those of the style's table."""
        return {}

    def own_energies(self, system: System, tally: Tally) -> None:
        """Add the Coulomb energy of single atoms of this rank."""

    def function(self, style: PairStyle) -> Portable:
        """The formula that loops over pairs call."""
        return style.pair_function()

    # ---- per-atom energies and virials (forces/terms.py)
    @property
    def _peratom(self) -> Kernel:
        own = ("OWN", self.embedded or self.charged), ("COUL", self.charged)
        return Kernel(peratom_loop, 0, self.precision, self.fields, statics=(*self.plain, *own))

    def peratom(self, near: Surroundings, energy: View, virial: View, factor: float = 1.0) -> None:
        if not self.by_pairs:
            raise not_per_atom(f"pair style {self.name}")
        parallel_for(near.system.space, near.n, self._peratom, *near.rows(), self.table, self.data, self.kinds, factor,
                     self.own_numbers(near, energy, factor), energy, virial)

    def own_numbers(self, near: Surroundings, energy: View, factor: float) -> View:
        """A number of each atom and ghost that pairs depend on; energies of atoms alone are added here."""
        return energy  # not read

    def check_float32(self, style: PairStyle) -> None:
        """Refuse float32 arithmetic where powers of distances or parameters leave its range, as in units si."""
        function = style.pair_function()
        data = style.data.astype(np.float32)
        for i, j in style.pairs:
            squares = [(part * style.cutoffs[i, j]) ** 2 for part in (0.5, 0.9)]
            with np.errstate(all="ignore"):
                exact, single = (np.array([_plain(style, function, kind, r2, i, j, data) for r2 in squares], np.float64)
                                 for kind in (np.float64, np.float32))
                # relative to the larger of the two points: one of them may be where a force or energy passes through zero
                off = np.abs(single - exact) > 1e-2 * np.abs(exact).max(axis=0) + 1e-30
            if np.isfinite(exact).all() and (off.any() or not np.isfinite(single).all()):
                raise InputError(f"pair style {style.name} leaves the range of single precision in units "
                                 f"{style.system.units.name}",
                                 "use --precision double, or units in which lengths and energies are near 1")


def _plain(style: PairStyle, function: Portable, kind: type, r2: float, i: int, j: int, data: np.ndarray
           ) -> tuple[float, float]:
    """F/r and E by plain Python in one precision."""
    p = SimpleNamespace(**dict(zip(style.fields, style.table_array[i, j].astype(kind), strict=True)))
    return function(kind(r2), p, data)

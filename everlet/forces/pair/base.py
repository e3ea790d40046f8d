"""PairStyle: what every pair potential shares - cutoffs, shift, tail; coefficients.py: input, mixing - around one formula.

A style declares its numbers and gives one formula for all machines:

    @pair_style("lj/cut")
    class LJCut(PairStyle):
        coeffs = {"epsilon": energy, "sigma": length}        # in the order of pair_coeff; [r_c] may always follow
        def table(self, epsilon, sigma): return {...}        # host: parameters of one pair of types
        @portable
        def pair(r2, p): ... return f_over_r, energy         # every machine; or: def energy(r2, p) alone

`table` and `tail` receive, by name, whichever of the coefficients and `cut` they ask for. The driver owns all
loops and sees only `cutoffs`, `table_array`, `offset`, `data` and `pair_function()`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import ClassVar
from weakref import WeakSet

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair.coefficients import Coefficients
from everlet.forces.pair.formulas import Values, ask, differentiated, with_data
from everlet.forces.pair.one_four import OneFour
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.portable import Portable, Space
from everlet.registry import Registry
from everlet.state.special import Weights
from everlet.state.system import System

RESERVED = ("cut2", "offset", "vdwl2", "coul2")  # parameters that the driver adds


class PairStyles(Registry[type["PairStyle"]]):
    """The registry of pair styles; a class learns the name it is registered under."""

    def __call__(self, *names: str) -> Callable[[type[PairStyle]], type[PairStyle]]:
        register = super().__call__(*names)

        def named(style: type[PairStyle]) -> type[PairStyle]:
            style.name = names[0]
            return register(style)

        return named


MANY_BODY = "eam meam threebody hbond snap mliap ace reaxff rebo"
ROOMS = ("pair.styles", "granular", "listed", *(f"manybody.{room}" for room in MANY_BODY.split()), "models")
pair_style = PairStyles("pair style", *(f"everlet.forces.{room}" for room in ROOMS))


class PairStyle(Coefficients):
    """Base of all pair styles. Class attributes are the declaration, instance attributes the state of one pair_style.

    After `init()`, with n atom types (row and column 0 are unused):
        cutoffs      (n+1, n+1)            distance at which the interaction ends
        fields       names of the parameters p
        table_array  (n+1, n+1, fields)    their values
        offset       (n+1, n+1)            energy subtracted by pair_modify shift, E(r_c) or 0
        data         flat                  numbers of tabulated styles
        etail ptail                        sums for the tail correction: E = etail / V, P = ptail / V^2
    `only` names the pairs of types (i <= j) that are this style's own, None: all of them (see hybrid.py).
    """

    charged: bool = False  # forces depend on charges of atoms too: charged.py
    cut_coul: float = 0.0  # where the style's part of charges ends if a long-range solver has the rest; 0: none has
    for_images: bool = False  # its charges stand for all their images, by itself or with a long-range solver
    terms: ClassVar[int] = 0  # energies that it is told apart into: c_ID[i] of compute pair
    atom_values: tuple[str, ...] = ()  # numbers of each atom that its schemes can give besides forces: fix pair
    table_bits: int = 0  # of the table that this part is looked up in; 0: it is computed
    qqr2e: float | None = None  # energy of two charges 1 at distance 1, where the force field has a value of its own
    stored: bool = True  # in restart files, and with them its coefficients
    sub_styles: Sequence[PairStyle] = ()  # of a hybrid style
    beyond: float = 0.0  # lists must reach so much farther than the cutoffs
    ghosts: float = 0.0  # how far ghosts must be known, if that is farther
    factor: float = 1.0  # of forces and energies: hybrid/scaled
    follow: Callable[[], float] | None = None  # gives the factor of now, if a variable says it
    whole: ClassVar[bool] = False  # special pairs have its whole force, whatever their factors, unless both of these are 0
    moving: bool = False  # forces depend on velocities: ghosts have them, too
    costly: ClassVar[bool] = False  # even in wide registers a pair costs more than adding its force to the neighbour
    example: ClassVar[Values] = {}  # coefficients for check_plugin; 1.0 where none is given
    table: ClassVar[Callable[..., Values] | None] = None  # None: the coefficients are the parameters
    schemes: ClassVar[Registry[type[Scheme]]] = pair_scheme  # ways to do the work of such a style
    of_kernels: ClassVar[type[Parameters]] = Parameters  # its numbers as these read them
    pair: ClassVar[Portable | None] = None
    energy: ClassVar[Portable | None] = None

    def __init__(self, system: System, args: list[str]):
        super().__init__(system)
        self.etail = self.ptail = 0.0
        self.data = np.zeros(1)
        self.fields: tuple[str, ...] = ()
        self.warnings: list[str] = []  # for the log; whoever prints them clears the list
        self.adapted = False  # fix adapt changes its coefficients in a run
        self.live: WeakSet[Parameters] = WeakSet()  # its numbers where kernels read them
        self.fits_float32: tuple[object, ...] = ()  # parameters that were found to
        self.weights: dict[str, Weights] = {}  # "lj", "coul": of special pairs, where they are not those of special_bonds
        self.configure(args)

    def pieces(self) -> list[tuple[str, PairStyle]]:
        """The styles that it is made of, ready, and what is put behind its name for each: itself, or sub-styles."""
        return [("", self)]

    def dispersion(self, mix: str = "pair") -> list[tuple[float, np.ndarray]]:
        """Of what a solver has of -C_ij/r^6, C_ij = sum of f c_i c_j: f with c of each type (n+1). Empty: nothing. `mix`: pair,
        as the style mixes, or geom, geometrically."""
        return []

    def waters(self) -> set[tuple[int, int, float] | None]:
        """Where charges are whose far part a solver has: None at atoms, else beside oxygens (styles/tip4p.py); none: empty."""
        return {None} if self.cut_coul else set()

    def leave(self) -> None:
        """Another style takes its place: fields of atoms that are its own go."""

    # ---- before a run
    def ready(self) -> None:
        """`init`, and pairs of types that are not this style's own are out of reach."""
        self.init()
        if self.only is not None:
            own = np.zeros(self.cutoffs.shape, bool)
            for i, j in self.only:
                own[i, j] = own[j, i] = True
            self.cutoffs[~own] = 0.0
            self.max_cutoff = float(self.cutoffs.max()) + self.beyond

    def init(self) -> None:
        """Check that all pairs are set, mix the missing ones, and fill the arrays the driver needs."""
        n = self.system.ntypes
        if self.shift and self.with_tail:
            raise InputError("pair_modify shift and tail are both on", "a shifted potential has no tail: choose one")
        if self.with_tail and self.system.dimension == 2:
            raise InputError("tail corrections need three dimensions", "use pair_modify tail no")
        self._resolve(n)
        self.fields = tuple(self.parameters(next(iter(self.pairs.values()))))
        taken = [name for name in RESERVED if name in self.fields]
        if taken:
            raise InputError(f"pair style {self.name} has a parameter '{taken[0]}', a name the driver uses itself",
                             "choose another name in table()")
        self.cutoffs = np.zeros((n + 1, n + 1))
        self.offset = np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        for (i, j), values in self.pairs.items():
            self.cutoffs[i, j] = self.cutoffs[j, i] = self.reach(values)
            self.table_array[i, j] = self.table_array[j, i] = list(self.parameters(values).values())
        self.max_cutoff = float(self.cutoffs.max()) + self.beyond
        if self.shift:
            for i, j in self.pairs:
                cut = self.shift_at(i, j)
                self.offset[i, j] = self.offset[j, i] = self._plain(cut * cut, i, j)[1] if cut > 0.0 else 0.0
        self.etail = self.ptail = 0.0
        if self.with_tail:
            self._tail_sums(n)

    def _tail_sums(self, n: int) -> None:
        count = self.system.ranks.sum(np.bincount(self.system.atoms.read("type"), minlength=n + 1))
        if self.system.box is not None and not all(self.system.box.periodic):
            self.warnings.append("tail corrections are meant for a box that is periodic in all dimensions")
        for (i, j), values in self.pairs.items():
            assert self.tail is not None
            energy, pressure = ask(self.tail, values)
            both = float(count[i]) * float(count[j]) * (1 if i == j else 2)  # i j and j i
            self.etail += 2.0 * math.pi * both * energy
            self.ptail += 2.0 / 3.0 * math.pi * both * pressure

    def one_four(self) -> OneFour | None:
        """What dihedral styles weight for atoms three bonds apart; None: they cannot. After `init`."""
        return None

    def one_three(self) -> OneFour | None:
        """What angle styles add for their ends; None: they cannot. After `init`."""
        return None

    @property
    def kind(self) -> str:
        """What the time of its forces depends on, in words."""
        return self.name

    def numbers(self, space: Space, precision: str) -> Parameters:
        """What kernels read, in a space's memory."""
        return self.of_kernels(self, space, precision)

    # ---- the formula
    def parameters(self, values: Values) -> Values:
        """Parameters p of one pair of types, in the order of `fields`."""
        if self.table is None:
            return {name: values[name] for name in self.coeffs}
        return {name: float(value) for name, value in ask(self.table, values).items()}

    def shift_at(self, i: int, j: int) -> float:
        """Distance where pair_modify shift makes the energy zero."""
        return float(self.cutoffs[i, j])

    def reach(self, values: Values) -> float:
        """Distance where the interaction of one pair of types ends: its cutoff, unless the style shifts distances."""
        return values["cut"]

    def pair_function(self) -> Portable:
        """The formula for the compiler: pair(r2, p, data), whether or not it reads data."""
        if self.pair is not None:
            return with_data(self.pair)
        if self.energy is None:
            raise InputError(f"pair style {self.name} has neither pair(r2, p) nor energy(r2, p)", "write one of them")
        return with_data(differentiated(self.energy, self.fields))

    @classmethod
    def to_check(cls, name: str) -> dict[str, type[PairStyle]]:
        """What `everlet check` looks at, by label: styles whose formula is a function of one squared distance."""
        return {name: cls}

    def _plain(self, r2: float, i: int, j: int) -> tuple[float, float]:
        p = SimpleNamespace(**dict(zip(self.fields, self.table_array[i, j].tolist(), strict=True)))
        force, energy = self.pair_function()(r2, p, self.data)
        return float(force), float(energy)

    def single(self, r2: float, i: int, j: int, q_i: float = 1.0, q_j: float = 1.0) -> tuple[float, float]:
        """F/r and energy (shift included) of one pair at distance^2 r2, by plain Python; (0, 0) beyond the cutoff. Charges
        are for styles that have them."""
        if r2 >= self.cutoffs[i, j] ** 2:
            return 0.0, 0.0
        force, energy = self._plain(r2, i, j)
        return force, energy - float(self.offset[i, j])

    def write(self, args: list[str]) -> str:
        """The arguments of pair_write; gives the line for the log."""
        from everlet.forces.pair.writing import pair_write

        return pair_write(self, args)

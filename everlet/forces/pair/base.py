"""PairStyle: what every pair potential shares - coefficients, mixing, cutoffs, shift, tail - around one formula.

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
from typing import Any, ClassVar
from weakref import WeakSet

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown, yes_no
from everlet.forces.pair.formulas import Values, ask, differentiated, with_data
from everlet.forces.pair.keywords import modifications
from everlet.forces.pair.mixing import RULES, geometric, mix_energy, mix_length
from everlet.forces.pair.one_four import OneFour
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.quantities import Quantity, length
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.portable import Portable, Space
from everlet.registry import Registry
from everlet.state.special import Weights
from everlet.state.system import System
from everlet.state.text import shortest

RESERVED = ("cut2", "offset", "vdwl2", "coul2")  # parameters that the driver adds


class PairStyles(Registry[type["PairStyle"]]):
    """The registry of pair styles; a class learns the name it is registered under."""

    def __call__(self, *names: str) -> Callable[[type[PairStyle]], type[PairStyle]]:
        register = super().__call__(*names)

        def named(style: type[PairStyle]) -> type[PairStyle]:
            style.name = names[0]
            return register(style)

        return named


ROOMS = ("pair.styles", *(f"manybody.{room}" for room in "eam threebody snap mliap ace reaxff".split()), "models")
pair_style = PairStyles("pair style", *(f"everlet.forces.{room}" for room in ROOMS))


class PairStyle:
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

    name: ClassVar[str] = ""
    coeffs: ClassVar[dict[str, Quantity]] = {}
    settings: ClassVar[dict[str, Quantity]] = {"cut": length}  # arguments of the pair_style line, all required
    mixing: ClassVar[dict[str, str]] = {}  # where it differs from the kind's own: energy, length, geometric, mean
    mixable: ClassVar[bool] = True  # False: unlike pairs are never mixed, whatever the coefficients are
    counts_mixed: ClassVar[bool] = True  # mixed pairs are counted in the line for the log
    shiftable: ClassVar[bool] = True
    charged: bool = False  # forces depend on charges of atoms too: charged.py
    cut_coul: float = 0.0  # where the style's part of charges ends if a long-range solver has the rest; 0: none has
    for_images: ClassVar[bool] = False  # its charges stand for all their images, as those of a long-range solver do
    terms: ClassVar[int] = 0  # energies that it is told apart into: c_ID[i] of compute pair
    atom_values: tuple[str, ...] = ()  # numbers of each atom that its schemes can give besides forces: fix pair
    table_bits: int = 0  # of the table that this part is looked up in; 0: it is computed
    qqr2e: float | None = None  # energy of two charges 1 at distance 1, where the force field has a value of its own
    stored: bool = True  # in restart files, and with them its coefficients
    sub_styles: Sequence[PairStyle] = ()  # of a hybrid style
    beyond: float = 0.0  # lists must reach so much farther than the cutoffs
    ghosts: float = 0.0  # how far ghosts must be known, if that is farther
    factor: float = 1.0  # of forces and energies: hybrid/scaled
    whole: ClassVar[bool] = False  # special pairs have its whole force, whatever their factors, unless both of these are 0
    costly: ClassVar[bool] = False  # even in wide registers a pair costs more than adding its force to the neighbour
    example: ClassVar[Values] = {}  # coefficients for check_plugin; 1.0 where none is given
    table: ClassVar[Callable[..., Values] | None] = None  # None: the coefficients are the parameters
    # integrals of E r^2 and of -dE/dr r^3 from the cutoff to infinity; None: the style has no tail correction
    tail: ClassVar[Callable[..., tuple[float, float]] | None] = None
    schemes: ClassVar[Registry[type[Scheme]]] = pair_scheme  # ways to do the work of such a style
    pair: ClassVar[Portable | None] = None
    energy: ClassVar[Portable | None] = None

    def __init__(self, system: System, args: list[str]):
        self.system = system
        self.explicit: dict[tuple[int, int], Values] = {}  # given by pair_coeff, i <= j; includes "cut"
        self.pairs: dict[tuple[int, int], Values] = {}  # after init: explicit and mixed, i <= j
        self.shift, self.with_tail, self.mix_rule = False, False, "geometric"
        self.mixed, self.etail, self.ptail = 0, 0.0, 0.0
        self.data = np.zeros(1)
        self.fields: tuple[str, ...] = ()
        self.warnings: list[str] = []  # for the log; whoever prints them clears the list
        self.only: set[tuple[int, int]] | None = None
        self.adapted = False  # fix adapt changes its coefficients in a run
        self.live: WeakSet[Parameters] = WeakSet()  # its numbers where kernels read them
        self.weights: dict[str, Weights] = {}  # "lj", "coul": of special pairs, where they are not those of special_bonds
        self.configure(args)

    def pieces(self) -> list[tuple[str, PairStyle]]:
        """The styles that it is made of, ready, and what is put behind its name for each: itself, or sub-styles."""
        return [("", self)]

    # ---- input
    def configure(self, args: list[str]) -> None:
        """The arguments of pair_style. Given again, a new global cutoff replaces the cutoffs of all set pairs."""
        usage = " ".join(["pair_style", self.name, *self.settings])
        arguments(args, len(self.settings), len(self.settings), usage)
        self.args = list(args)
        self.setting = {name: number(word, name) for name, word in zip(self.settings, args, strict=True)}
        if "cut" in self.setting:
            check_cutoff(self.setting["cut"])
            for values in self.explicit.values():
                values["cut"] = self.setting["cut"]

    def coeff(self, args: list[str]) -> None:
        """The arguments of pair_coeff: I J, the declared coefficients, optionally a cutoff for this pair."""
        count, given = len(self.coeffs), "cut" in self.settings
        usage = " ".join(["pair_coeff I J", *self.coeffs, *(f"[{word}]" if given else word for word in self.cut_words)])
        arguments(args, count + 2 + (not given), count + 2 + len(self.cut_words), usage)
        values = {name: number(word, name) for name, word in zip(self.coeffs, args[2:], strict=False)}
        values |= self.pair_cutoffs([number(word, "a cutoff") for word in args[count + 2 :]])
        for name in self.cut_words:
            check_cutoff(values[name])
        self.parameters(values)  # styles refuse unusable numbers there: do it while the line is at hand
        for pair in self.type_pairs(args[0], args[1]):
            self.explicit[pair] = dict(values)

    @property
    def cut_words(self) -> tuple[str, ...]:
        """Cutoffs that may end a line of pair_coeff."""
        return ("cut",)

    def pair_cutoffs(self, given: list[float]) -> Values:
        """Cutoffs of one pair of types from those that end its line, if any."""
        return {"cut": given[0] if given else self.setting["cut"]}

    def type_pairs(self, first: str, second: str) -> list[tuple[int, int]]:
        """Pairs i <= j named by two words. Single types are put in order; of wildcards only i <= j are taken."""
        rows, columns = self.system.type_range(first), self.system.type_range(second)
        if len(rows) == len(columns) == 1 and columns[0] < rows[0]:
            rows, columns = columns, rows
        pairs = [(i, j) for i in rows for j in columns if i <= j]
        if not pairs:
            raise InputError(f"pair_coeff {first} {second} names no pair with I <= J", "exchange the two")
        return pairs

    def waters(self) -> set[tuple[int, int, float] | None]:
        """Where charges are whose far part a solver has: None at atoms, else beside oxygens (styles/tip4p.py); none: empty."""
        return {None} if self.cut_coul else set()

    def given(self) -> set[tuple[int, int]]:
        """Pairs i <= j that pair_coeff was used for."""
        return set(self.explicit)

    def modify(self, args: list[str]) -> None:
        """The arguments of pair_modify.

        mix, shift, tail act. table, tabinner (long-range splitting), nofdotr (another way to the same virial) and
        neigh/trim change nothing for these styles and are only checked; what would change something is refused.
        """
        for key, *value in modifications(args):
            if value:
                self._modify(key, value[0])

    def _modify(self, key: str, value: str) -> None:
        if key == "mix":
            if value not in RULES:
                raise unknown("mixing rule", value, RULES)
            self.mix_rule = value
        elif key == "shift":
            shift = yes_no(value, "pair_modify shift")
            if shift and not self.shiftable:
                raise InputError(f"pair style {self.name} cannot be shifted", "remove 'shift yes'")
            self.shift = shift
        elif key == "tail":
            tail = yes_no(value, "pair_modify tail")
            if tail and self.tail is None:
                raise InputError(f"pair style {self.name} has no tail correction", "remove 'tail yes'")
            self.with_tail = tail
        elif key == "compute":
            if not yes_no(value, "pair_modify compute"):
                raise InputError("pair_modify compute no is not supported", "use pair_style zero for no forces")
        elif key == "neigh/trim":
            yes_no(value, "pair_modify neigh/trim")
        elif key.startswith("tabinner"):
            number(value, f"a distance after {key}")
        else:
            integer(value, f"a number of bits after {key}")

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

    def _resolve(self, n: int) -> None:
        """Fill `pairs` for all i <= j that are its own."""
        needed = [(i, j) for i in range(1, n + 1) for j in range(i, n + 1) if self.only is None or (i, j) in self.only]
        mixes = self.mixable and None not in self.mix_rules().values()
        missing = [(i, j) for i, j in needed if (i, j) not in self.explicit
                   and (i == j or not mixes or (self.only is not None and not {(i, i), (j, j)} <= self.given()))]
        if missing:
            names = ", ".join(f"{i} {j}" for i, j in missing[:8]) + (" ..." if len(missing) > 8 else "")
            why = "" if mixes else f"; pair style {self.name} does not mix coefficients of unlike types"
            raise InputError(f"no pair_coeff for types {names}", f"give pair_coeff I J for each of them{why}")
        self.mixed = 0
        self.pairs = {}
        for i, j in needed:
            if (i, j) in self.explicit:
                self.pairs[i, j] = self.explicit[i, j]
                continue
            a, b = self.explicit[i, i], self.explicit[j, j]
            try:
                self.pairs[i, j] = {**self.mix(a, b), "cut": mix_length(self.mix_rule, a["cut"], b["cut"], "cutoff")}
            except InputError as error:
                raise InputError(f"types {i} and {j} cannot be mixed: {error.cause}",
                                 f"give pair_coeff {i} {j}") from None
            self.mixed += self.counts_mixed

    def mix_rules(self) -> dict[str, str | None]:
        """How each coefficient is mixed; None: it cannot be."""
        return {name: self.mixing.get(name, kind.mix) for name, kind in self.coeffs.items()}

    def mix(self, a: Values, b: Values) -> Values:
        """Coefficients of an unlike pair from those of the two like pairs."""
        rules = self.mix_rules()
        size = next((name for name, rule in rules.items() if rule == "length"), "")
        out: Values = {}
        for name, rule in rules.items():
            x, y = a[name], b[name]
            if rule == "energy":
                out[name] = mix_energy(self.mix_rule, x, y, a.get(size, 1.0), b.get(size, 1.0), name)
            elif rule == "length":
                out[name] = mix_length(self.mix_rule, x, y, name)
            elif rule == "geometric":
                out[name] = geometric(x, y, name)
            elif rule == "mean":
                out[name] = 0.5 * (x + y)
            else:
                raise ValueError(f"unknown mixing '{rule}' of {name} in pair style {self.name}")
        return out

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

    @property
    def kind(self) -> str:
        """What the time of its forces depends on, in words."""
        return self.name

    @property
    def mixing_line(self) -> str:
        """What the log says about mixing; empty for one type."""
        n = self.system.ntypes
        total = n * (n - 1) // 2
        line = f"Generated {self.mixed} of {total} mixed pair_coeff terms from {self.mix_rule} mixing rule"
        return line if total else ""

    def numbers(self, space: Space, precision: str) -> Parameters:
        """What kernels read, in a space's memory."""
        return Parameters(self, space, precision)

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

    # ---- files
    def data_coeffs(self, unlike: bool = False) -> list[str]:
        """Lines of a data file: 'Pair Coeffs' (like pairs, no cutoff) or, if `unlike`, 'PairIJ Coeffs' (all pairs)."""
        self.init()
        lines = []
        for (i, j), values in self.pairs.items():
            words = [shortest(values[name]) for name in self.coeffs]
            if unlike:
                cutoffs = [shortest(values[name]) for name in self.cut_words]
                cutoffs = cutoffs[:1] if len(set(cutoffs)) == 1 else cutoffs  # a single one is for all, as the reference has it
                lines.append(" ".join([str(i), str(j), *words, *cutoffs]))
            elif i == j:
                lines.append(" ".join([str(i), *words]))
        return lines

    def state(self) -> dict[str, Any]:
        """All that a restart needs, as plain values; `restore` on a style made with state['args'] takes it back."""
        return {"style": self.name, "args": self.args, "shift": self.shift, "tail": self.with_tail, "mix": self.mix_rule,
                "coeffs": [[i, j, values] for (i, j), values in self.explicit.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        self.shift, self.with_tail, self.mix_rule = state["shift"], state["tail"], state["mix"]
        self.explicit = {(i, j): dict(values) for i, j, values in state["coeffs"]}

    def write(self, args: list[str]) -> str:
        """The arguments of pair_write; gives the line for the log."""
        from everlet.forces.pair.writing import pair_write

        return pair_write(self, args)


def check_cutoff(cut: float) -> None:
    if not 0.0 <= cut < math.inf:
        raise InputError(f"a cutoff must be a distance, found {cut:g}", "give a number of 0 or more")

"""Coefficients of pair styles by pair of types: from the lines of a script, mixed, and in files."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

from everlet.errors import InputError, arguments, integer, number, one_of, yes_no
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.keywords import modifications
from everlet.forces.pair.mixing import RULES, geometric, mix_energy, mix_length
from everlet.forces.pair.quantities import Quantity, length
from everlet.state.system import System
from everlet.state.text import shortest


class Coefficients:
    """What is given by pair_style, pair_coeff and pair_modify. Class attributes say what there is to give."""

    name: ClassVar[str] = ""
    coeffs: ClassVar[dict[str, Quantity]] = {}
    settings: ClassVar[dict[str, Quantity]] = {"cut": length}  # arguments of the pair_style line, all required
    mixing: ClassVar[dict[str, str]] = {}  # where it differs from the kind's own: energy, length, geometric, mean, same
    flags: ClassVar[tuple[str, ...]] = ()  # words that may end a line of pair_coeff; 1 where they do
    other_names: ClassVar[dict[str, str]] = {}  # what else scripts call coefficients (fix adapt)
    mixable: ClassVar[bool] = True  # False: unlike pairs are never mixed, whatever the coefficients are
    counts_mixed: ClassVar[bool] = True  # mixed pairs are counted in the line for the log
    shiftable: ClassVar[bool] = True
    # integrals of E r^2 and of -dE/dr r^3 from the cutoff to infinity; None: the style has no tail correction
    tail: ClassVar[Callable[..., tuple[float, float]] | None] = None

    def __init__(self, system: System) -> None:
        self.system = system
        self.explicit: dict[tuple[int, int], Values] = {}  # given by pair_coeff, i <= j; includes "cut"
        self.pairs: dict[tuple[int, int], Values] = {}  # after init: explicit and mixed, i <= j
        self.shift, self.with_tail, self.mix_rule, self.mixed = False, False, "geometric", 0
        self.only: set[tuple[int, int]] | None = None
        self.computes = True  # pair_modify compute

    def init(self) -> None:
        """Fill `pairs`, and what follows from them."""
        raise NotImplementedError

    def parameters(self, values: Values) -> Values:
        """What the formula reads of one pair of types; unusable numbers are refused."""
        raise NotImplementedError

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
        usage = " ".join(["pair_coeff I J", *self.coeffs, *(f"[{word}]" if given else word for word in self.cut_words),
                          *(f"[{word}]" for word in self.flags)])
        flags = dict.fromkeys(self.flags, 0.0)
        while args and args[-1] in self.flags:
            flags[args[-1]], args = 1.0, args[:-1]
        arguments(args, count + 2 + (not given and len(self.cut_words)), count + 2 + len(self.cut_words), usage)
        values = {name: self.coeffs[name].read(word, name) for name, word in zip(self.coeffs, args[2:], strict=False)}
        values |= self.pair_cutoffs([number(word, "a cutoff") for word in args[count + 2 :]]) | flags
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

    def given(self) -> set[tuple[int, int]]:
        """Pairs i <= j that pair_coeff was used for."""
        return set(self.explicit)

    def modify(self, args: list[str]) -> None:
        """The arguments of pair_modify.

        mix, shift, tail act, and compute no: no forces then, only neighbours as far as the cutoffs. table, tabinner (long-range
        splitting), nofdotr (another way to the same virial) and neigh/trim change nothing for these styles, and are checked;
        what would change something is refused.
        """
        for key, *value in modifications(args):
            if value:
                self._modify(key, value[0])

    def _modify(self, key: str, value: str) -> None:
        if key == "mix":
            self.mix_rule = one_of("mixing rule", value, RULES)
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
            self.computes = yes_no(value, "pair_modify compute")
        elif key == "neigh/trim":
            yes_no(value, "pair_modify neigh/trim")
        elif key.startswith("tabinner"):
            number(value, f"a distance after {key}")
        else:
            integer(value, f"a number of bits after {key}")

    # ---- mixing
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
                distances = {name: mix_length(self.mix_rule, a[name], b[name], name) for name in a if name not in self.coeffs}
                self.pairs[i, j] = distances | self.mix(a, b)
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
            elif rule == "same":
                if x != y:
                    raise InputError(f"{name} of {x:g} and {y:g} differ", "give pair_coeff for this pair of types")
                out[name] = x
            elif rule == "mean":
                out[name] = 0.5 * (x + y)
            else:
                raise ValueError(f"unknown mixing '{rule}' of {name} in pair style {self.name}")
        return out

    @property
    def mixing_line(self) -> str:
        """What the log says about mixing; empty for one type."""
        n = self.system.ntypes
        total = n * (n - 1) // 2
        line = f"Generated {self.mixed} of {total} mixed pair_coeff terms from {self.mix_rule} mixing rule"
        return line if total else ""

    # ---- files
    def data_coeffs(self, unlike: bool = False) -> list[str]:
        """Lines of a data file: 'Pair Coeffs' (like pairs, no cutoff) or, if `unlike`, 'PairIJ Coeffs' (all pairs)."""
        self.init()
        lines = []
        for (i, j), values in self.pairs.items():
            words = [kind.written(values[name]) for name, kind in self.coeffs.items()]
            cutoffs = [shortest(values[name]) for name in self.cut_words]
            cutoffs = cutoffs[:1] if len(set(cutoffs)) == 1 else cutoffs  # a single one is for all, as the reference has it
            words += cutoffs if unlike or "cut" not in self.settings else []
            words += [name for name in self.flags if values[name]]
            if unlike or i == j:
                lines.append(" ".join([*map(str, (i, j) if unlike else (i,)), *words]))
        return lines

    def state(self) -> dict[str, Any]:
        """All that a restart needs, as plain values; `restore` on a style made with state['args'] takes it back."""
        return {"style": self.name, "args": self.args, "shift": self.shift, "tail": self.with_tail, "mix": self.mix_rule,
                "computes": self.computes, "coeffs": [[i, j, values] for (i, j), values in self.explicit.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        self.shift, self.with_tail, self.mix_rule = state["shift"], state["tail"], state["mix"]
        self.computes = state.get("computes", True)
        self.explicit = {(i, j): dict(values) for i, j, values in state["coeffs"]}


def check_cutoff(cut: float) -> None:
    if not 0.0 <= cut < math.inf:
        raise InputError(f"a cutoff must be a distance, found {cut:g}", "give a number of 0 or more")

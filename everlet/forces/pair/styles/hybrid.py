"""Several pair styles in one system.

    pair_style hybrid STYLE args STYLE args …                    each pair of types has one of them
    pair_style hybrid/overlay STYLE args …                       … or several, whose energies are added
    pair_style hybrid/scaled FACTOR STYLE args FACTOR STYLE …    … times a factor for each style: a number, or v_NAME
    pair_coeff I J STYLE [N] coefficients …                      N: which one, where a style is named several times
    pair_coeff I J none
    pair_modify [pair STYLE [N]] keyword value …                 for one of them, or for all that can
    pair_modify pair STYLE [N] special lj/coul|lj|coul W2 W3 W4  its own factors of pairs 1, 2 or 3 bonds apart

A pair of unlike types without pair_coeff is mixed if both like pairs have the same style and no other. A sub-style is an
ordinary PairStyle: it is told which pairs of types are its own (`only`), and is a term of its own (driver.py).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, number, unknown
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.keywords import modifications
from everlet.forces.pair.one_four import OneFour
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.forces.pair.schemes.hybrid import HybridScheme
from everlet.registry import Registry
from everlet.state.system import System

Pair = tuple[int, int]
SPECIAL = {"lj/coul": ("lj", "coul"), "lj": ("lj",), "coul": ("coul",)}  # words of pair_modify special


@pair_style("hybrid")
class Hybrid(PairStyle):
    settings = {}
    overlay = scaled = False
    schemes: Registry[type[Scheme]] = Registry("scheme of hybrid pair styles")  # type: ignore[misc]  # of each its own

    def __init__(self, system: System, args: list[str]):
        self.sub_styles: list[PairStyle] = []
        self.factors: list[float] = []
        self.names: list[str] = []  # of variables that say them
        self.owners: dict[Pair, list[int]] = {}  # numbers of sub-styles, for each pair that was given
        super().__init__(system, args)

    # ---- input
    def configure(self, args: list[str]) -> None:
        usage = f"pair_style {self.name} {'FACTOR ' * self.scaled}STYLE args {'FACTOR ' * self.scaled}STYLE args ..."
        arguments(args, 2 if self.scaled else 1, None, usage)
        starts = [k for k, word in enumerate(args) if word in pair_style or word == "none"]
        ahead = 1 if self.scaled else 0  # words of a sub-style before its name
        if not starts or starts[0] != ahead:
            raise InputError(f"'{args[0]}' is not {'a factor before a' if self.scaled else 'a'} pair style", f"usage: {usage}")
        self.sub_styles, self.factors, self.names, self.owners = [], [], [], {}
        for begin, end in zip(starts, [*(k - ahead for k in starts[1:]), len(args)], strict=True):
            name = args[begin]
            if name == "none" or issubclass(pair_style[name], Hybrid):
                raise InputError(f"pair style {name} cannot be a sub-style of {self.name}",
                                 "use pair_coeff I J none" if name == "none" else "name its sub-styles instead")
            word = args[begin - 1] if self.scaled else "1"
            self.names.append(word.removeprefix("v_") if word.startswith("v_") else "")
            self.factors.append(number(word, "a factor") if not self.names[-1] else 1.0)
            try:
                self.sub_styles.append(pair_style[name](self.system, args[begin + 1 : end]))
            except InputError as error:
                raise self._suspect(args[begin + 1 : end], error) from None
        self.args, self.setting = list(args), {}
        self.charged = any(sub.charged for sub in self.sub_styles)
        self.moving = any(sub.moving for sub in self.sub_styles)
        self.for_images = any(sub.for_images for sub in self.sub_styles)
        self.stored = all(sub.stored for sub in self.sub_styles)
        self._share_schemes()

    def _share_schemes(self) -> None:
        """Those that all sub-styles have. With some styles they depend on their coefficients."""
        self.schemes = Registry("scheme that all sub-styles have:")
        for name in self.sub_styles[0].schemes:
            if all(name in sub.schemes for sub in self.sub_styles):
                self.schemes(name)(HybridScheme.of(tuple(sub.schemes[name] for sub in self.sub_styles)))

    @staticmethod
    def _suspect(words: list[str], error: InputError) -> InputError:
        """Arguments that a sub-style refuses may hold the name of the next one, written wrongly."""
        for word in words:
            near = unknown("pair style", word, pair_style)
            if word[:1].isalpha() and "did you mean" in near.remedy:
                return near
        return error

    def follow_of(self, m: int) -> float:
        """The factor of a sub-style now, which its variable says; tail corrections have it, too."""
        if self.system.variables is None:
            raise InputError(f"pair style {self.name}: there is no variable '{self.names[m]}'", "define it")
        self.factors[m] = self.system.variables.evaluate(self.names[m])
        pieces = list(zip(self.factors, self.sub_styles, strict=True))
        self.etail, self.ptail = sum(one * sub.etail for one, sub in pieces), sum(one * sub.ptail for one, sub in pieces)
        return self.factor * self.factors[m]

    @property
    def cut_coul(self) -> float:  # type: ignore[override]
        """Of those sub-styles that leave a part to a long-range solver."""
        found = {sub.cut_coul for sub in self.sub_styles if sub.cut_coul}
        if len(found) > 1:
            raise InputError(f"sub-styles of pair_style {self.name} have different cutoffs of charges: "
                             f"{', '.join(f'{cut:g}' for cut in sorted(found))}", "a long-range solver needs the same for all")
        return max(found, default=0.0)

    def waters(self) -> set[tuple[int, int, float] | None]:
        return set().union(*(sub.waters() for sub in self.sub_styles))

    @property
    def table_bits(self) -> int:  # type: ignore[override]
        return max((sub.table_bits for sub in self.sub_styles if sub.cut_coul), default=0)

    @property
    def qqr2e(self) -> float | None:  # type: ignore[override]
        return next((sub.qqr2e for sub in self.sub_styles if sub.qqr2e is not None), None)

    def one_four(self) -> OneFour | None:
        return next(filter(None, (sub.one_four() for sub in self.sub_styles)), None)

    def one_three(self) -> OneFour | None:
        return next(filter(None, (sub.one_three() for sub in self.sub_styles)), None)

    def label(self, m: int) -> str:
        """The name of a sub-style, with its number if there are several of that name."""
        alike = [k for k, sub in enumerate(self.sub_styles) if sub.name == self.sub_styles[m].name]
        return self.sub_styles[m].name + (f" {alike.index(m) + 1}" if len(alike) > 1 else "")

    def named(self, words: list[str], command: str) -> tuple[int, list[str]]:
        """The number of the sub-style that words begin with, and what follows."""
        found = [m for m, sub in enumerate(self.sub_styles) if words and sub.name == words[0]]
        if not found:
            known = {sub.name for sub in self.sub_styles}
            raise unknown(f"sub-style in {command}", words[0] if words else "", [*known, "none"])
        if len(found) == 1:
            return found[0], words[1:]
        if len(words) < 2 or not words[1].isdecimal() or not 1 <= int(words[1]) <= len(found):
            raise InputError(f"{command} {words[0]}: which of the {len(found)} styles of that name is meant?",
                             f"write {words[0]} 1 to {words[0]} {len(found)}")
        return found[int(words[1]) - 1], words[2:]

    def coeff(self, args: list[str]) -> None:
        arguments(args, 3, None, "pair_coeff I J STYLE [N] coefficients ...")
        pairs = self.type_pairs(args[0], args[1])
        if args[2] == "skip":
            return
        if args[2] == "none":
            self.owners |= {pair: [] for pair in pairs}
            return
        m, rest = self.named(args[2:], f"pair_coeff {args[0]} {args[1]}")
        self.sub_styles[m].coeff([args[0], args[1], *rest])
        self._share_schemes()
        given = self.sub_styles[m].given()
        for pair, styles in list(self.owners.items()):
            if m in styles and pair not in given:  # a file was given again, for other elements
                styles.remove(m)
                if not styles:
                    del self.owners[pair]
        hit = [pair for pair in pairs if pair in given]
        if not hit:
            raise InputError(f"pair_coeff {' '.join(args)} names no pair of types that {self.label(m)} is for",
                             "NULL stands for types that are not its own")
        for pair in hit:
            before = self.owners.get(pair, []) if self.overlay else []
            self.owners[pair] = [*before, *([] if m in before else [m])]

    def given(self) -> set[Pair]:
        return set(self.owners)

    def modify(self, args: list[str]) -> None:
        if args[:1] != ["pair"]:
            for one in modifications(args):
                self._modify_all(one)
            return
        m, rest = self.named(args[1:], "pair_modify pair")
        while rest[:1] == ["special"]:
            if len(rest) < 5 or rest[1] not in SPECIAL:
                raise InputError(f"pair_modify pair {self.label(m)} {' '.join(rest[:5])} is not complete",
                                 "usage: pair_modify pair STYLE special lj/coul|lj|coul W2 W3 W4")
            given = (number(rest[2], "a factor"), number(rest[3], "a factor"), number(rest[4], "a factor"))
            self.sub_styles[m].weights |= dict.fromkeys(SPECIAL[rest[1]], given)
            rest = rest[5:]
        if rest[:1] == ["compute/tally"]:
            raise InputError("pair_modify compute/tally is not available", "leave it out")
        if rest:
            self.sub_styles[m].modify(rest)

    def _modify_all(self, one: list[str]) -> None:
        """Those sub-styles that can; if none can, the first one says why."""
        errors = []
        for sub in self.sub_styles:
            try:
                sub.modify(one)
            except InputError as error:
                errors.append(error)
        if len(errors) == len(self.sub_styles):
            raise errors[0]

    # ---- before a run
    def init(self) -> None:
        n = self.system.ntypes
        owners, missing = dict(self.owners), []
        for i, j in ((a, b) for a in range(1, n + 1) for b in range(a, n + 1) if (a, b) not in self.owners):
            like, other = self.owners.get((i, i), []), self.owners.get((j, j), [])
            if i != j and len(like) == 1 and like == other:
                owners[i, j] = list(like)
            else:
                missing.append(f"{i} {j}")
        if missing:
            raise InputError(f"no pair_coeff for types {', '.join(missing[:8])}{' ...' * (len(missing) > 8)}",
                             "give pair_coeff I J STYLE, or pair_coeff I J none, for each of them")
        self.cutoffs = np.zeros((n + 1, n + 1))
        self.etail = self.ptail = 0.0
        for m, sub in enumerate(self.sub_styles):
            sub.only = {pair for pair, styles in owners.items() if m in styles}
            if not sub.only:
                raise InputError(f"sub-style {self.label(m)} of pair_style {self.name} has no pair_coeff", "leave it out")
            self._check_weights(m)
            sub.ready()
            self.cutoffs = np.maximum(self.cutoffs, sub.cutoffs)
            self.etail += self.factors[m] * sub.etail
            self.ptail += self.factors[m] * sub.ptail
            self.warnings += sub.warnings
            sub.warnings.clear()
        self.max_cutoff = max(sub.max_cutoff for sub in self.sub_styles)
        self.mixed = sum(sub.mixed for sub in self.sub_styles)

    def _check_weights(self, m: int) -> None:
        """Special pairs whose factor is 0 or 1 are not told from others: a sub-style cannot have another one."""
        special = self.system.topology.special
        for part, own in self.sub_styles[m].weights.items():
            for level, (given, common) in enumerate(zip(own, getattr(special, part), strict=True)):
                if given != common and common in (0.0, 1.0):
                    raise InputError(f"pair_modify pair {self.label(m)} special {part}: the factor {given:g} of pairs "
                                     f"1-{level + 2} cannot be, since special_bonds says {common:g}",
                                     "give special_bonds another number than 0 and 1 there, for example 1e-50")

    @property
    def kind(self) -> str:
        return " ".join([self.name, *(sub.kind for sub in self.sub_styles)])

    @property
    def mixing_line(self) -> str:
        return "\n".join(dict.fromkeys(sub.mixing_line for sub in self.sub_styles if sub.mixed))

    def pieces(self) -> list[tuple[str, PairStyle]]:
        self.init()
        found = []
        for k, (sub, factor) in enumerate(zip(self.sub_styles, self.factors, strict=True)):
            sub.factor = self.factor * factor
            if self.names[k]:
                sub.follow = partial(self.follow_of, k)
                sub.factor = sub.follow()
            found += [(f" {k + 1}{name}", piece) for name, piece in sub.pieces()]
        return found

    def single(self, r2: float, i: int, j: int, q_i: float = 1.0, q_j: float = 1.0) -> tuple[float, float]:
        force = energy = 0.0
        for sub, factor in zip(self.sub_styles, self.factors, strict=True):
            if r2 < sub.cutoffs[i, j] ** 2:
                one = sub.single(r2, i, j, q_i, q_j)
                force, energy = force + factor * one[0], energy + factor * one[1]
        return force, energy

    # ---- files
    def data_coeffs(self, unlike: bool = False) -> list[str]:
        """A data file has no lines that name styles."""
        return []

    def state(self) -> dict[str, Any]:
        return {"style": self.name, "args": self.args, "parts": [sub.state() for sub in self.sub_styles],
                "weights": [sub.weights for sub in self.sub_styles],
                "owners": [[i, j, styles] for (i, j), styles in self.owners.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        for sub, part in zip(self.sub_styles, state["parts"], strict=True):
            sub.restore(part)
        self._share_schemes()
        for sub, weights in zip(self.sub_styles, state["weights"], strict=True):
            sub.weights = {name: (own[0], own[1], own[2]) for name, own in weights.items()}
        self.owners = {(i, j): list(styles) for i, j, styles in state["owners"]}

    def write(self, args: list[str]) -> str:
        self.init()
        for sub in self.sub_styles:
            if sub.schemes is not pair_scheme:
                sub.write(args)  # says why not
        return super().write(args)


@pair_style("hybrid/overlay")
class Overlay(Hybrid):
    overlay = True


@pair_style("hybrid/scaled")
class Scaled(Overlay):
    scaled = True

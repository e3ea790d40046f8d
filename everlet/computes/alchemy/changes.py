"""Numbers that follow variables: coefficients of styles, charges of atoms. Fix adapt gives them values, compute fep asks what
the energy would be with others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from everlet.computes.words.references import variables
from everlet.errors import InputError, unknown
from everlet.forces.bonded.driver import LinkTerm
from everlet.forces.pair.base import PairStyle
from everlet.state.atom_styles import need_field
from everlet.state.system import System
from everlet.state.topology import KINDS

Make = Callable[[Any], Any]


class Change:
    """One number that follows a variable; `put` gives it what `make` has made of the number that it was."""

    def __init__(self, system: System, name: str, user: str):
        if not name.startswith("v_"):
            raise InputError(f"{user}: '{name}' is not the name of a variable", "use v_NAME")
        self.system, self.name, self.user = system, name[2:], user

    def value(self) -> float:
        """Of the variable now."""
        return float(variables(self.system, self.name).evaluate(self.name))

    def init(self) -> None:
        """Remember what is."""
        if variables(self.system, self.name).style(self.name) == "atom":
            raise InputError(f"{self.user}: variable '{self.name}' has values per atom", "use an equal-style variable")

    def put(self, make: Make) -> None:
        raise NotImplementedError

    def undo(self) -> None:
        """As it was when the run began."""

    def renew(self) -> None:
        """Bring what has changed to where kernels read it."""


class CoefficientChange(Change):
    """Of a style: `table` has the coefficients of pairs of types, or types."""

    word: str
    table: dict[Any, dict[str, float]]
    before: dict[Any, float]

    def remember(self, places: Iterable[Any]) -> None:
        self.before = {place: self.table[place][self.word] for place in places if place in self.table}

    def put(self, make: Make) -> None:
        for place, before in self.before.items():
            self.table[place][self.word] = make(before)

    def undo(self) -> None:
        for place, before in self.before.items():
            self.table[place][self.word] = before


class PairChange(CoefficientChange):
    """pair STYLE[:N] NAME I J v_NAME"""

    def __init__(self, system: System, words: list[str], user: str):
        super().__init__(system, words[4], user)
        self.style = self._style(words[0])
        self.word = self.style.other_names.get(words[1], words[1])
        known = {word.lower(): word for word in self.style.coeffs}
        if self.word.lower() not in known:
            raise unknown(f"coefficient of pair style {words[0]}", words[1], known)
        self.word, self.pairs = known[self.word.lower()], self.style.type_pairs(words[2], words[3])
        self.before = {}
        self.style.adapted = True

    def _style(self, name: str) -> PairStyle:
        pair, (word, _, place) = self.system.pair, name.partition(":")
        alike = [style for style in pair.sub_styles or [pair] if style.name == word] if pair is not None else []
        found = [style for k, style in enumerate(alike, 1) if place in ("", str(k))]
        if len(found) != 1:
            raise InputError(f"{self.user}: there is {'no' if not found else 'more than one'} pair style {name}",
                             "name the pair style or a sub-style of hybrid; the second of a name is STYLE:2")
        if not found[0].coeffs:
            raise InputError(f"{self.user}: coefficients of pair style {name} are in a file", "adapt others")
        return found[0]

    def init(self) -> None:
        super().init()
        missing = [pair for pair in self.pairs if pair not in self.style.explicit and pair[0] == pair[1]]
        if missing:
            raise InputError(f"{self.user}: types {missing[0][0]} {missing[0][1]} have no pair_coeff", "give pair_coeff first")
        self.table = self.style.explicit
        self.remember(self.pairs)

    def renew(self) -> None:
        self.style.ready()
        for numbers in self.style.live:
            numbers.renew(self.style)


class LinkChange(CoefficientChange):
    """bond STYLE NAME TYPE v_NAME, and so on"""

    def __init__(self, system: System, kind: str, words: list[str], user: str):
        super().__init__(system, words[3], user)
        style = system.bonded[kind]
        if style is None or style.name != words[0]:
            raise InputError(f"{user}: there is no {kind} style {words[0]}", f"name the {kind} style")
        self.style, self.kind = style, KINDS[kind]
        known = {word.lower(): word for word in self.style.names()}
        if words[1].lower() not in known:
            raise unknown(f"coefficient of {kind} style {words[0]}", words[1], known)
        self.word, self.types = known[words[1].lower()], list(system.topology.type_range(self.kind, words[2]))
        self.before = {}

    def init(self) -> None:
        super().init()
        self.table = self.style.given
        self.remember(self.types)

    def renew(self) -> None:
        for term in self.system.evaluator.terms:
            if isinstance(term, LinkTerm) and term.style is self.style:
                term.renew()


class ChargeChange(Change):
    """atom charge v_NAME, of atoms of a group; or of those of some types"""

    def __init__(self, system: System, words: list[str], user: str, bit: Any, types: str = "*"):
        super().__init__(system, words[1], user)
        if words[0] != "charge":
            raise InputError(f"{user}: atom {words[0]} is not available", "atoms have a charge")
        need_field(system.atoms, "q", user)
        self.bit, self.types = bit, system.type_range(types)

    def _rows(self) -> np.ndarray:
        atoms = self.system.atoms
        return np.flatnonzero((atoms.read("mask") & self.bit != 0) & np.isin(atoms.read("type"), self.types))

    def put(self, make: Make) -> None:
        rows = self._rows()
        self.system.atoms.edit("q")[rows] = make(self.charges()[rows])

    def undo(self) -> None:
        rows = self._rows()
        self.system.atoms.edit("q")[rows] = self.charges()[rows]

    def charges(self) -> np.ndarray:
        """What they were."""
        raise NotImplementedError

    def renew(self) -> None:
        self.system.evaluator.comm.forward(self.system, "q")
        if self.system.kspace is not None:
            self.system.kspace.use_charges()


class SolverChange(Change):
    """kspace v_NAME: what the long-range solver computes is so many times what it is without"""

    def __init__(self, system: System, words: list[str], user: str):
        super().__init__(system, words[0], user)
        self._solver()

    def _solver(self) -> Any:
        solver = self.system.kspace
        if solver is None:
            raise InputError(f"{self.user}: there is no long-range solver", "give kspace_style before it")
        if solver.disperses:
            raise InputError(f"{self.user}: kspace_style {solver.name} has dispersion, too", "adapt ewald, pppm or msm")
        return solver

    def put(self, make: Make) -> None:
        self._solver().scale = make(1.0)

    def undo(self) -> None:
        self._solver().scale = 1.0


def renewed(changes: Iterable[Change]) -> None:
    """Each style once."""
    seen: list[Any] = []
    for change in changes:
        what = getattr(change, "style", "charges")
        if not any(what is one for one in seen):
            seen.append(what)
            change.renew()

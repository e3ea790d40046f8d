"""Coefficients and charges that change in a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from everlet.computes.words.references import needs, variables
from everlet.errors import InputError, arguments, unknown, yes_no
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.forces.bonded.driver import LinkTerm
from everlet.forces.pair.base import PairStyle
from everlet.state.atom_styles import need_field
from everlet.state.system import System
from everlet.state.topology import KINDS

USAGE = ("fix ID group adapt N pair STYLE[:N] NAME I J v_NAME | bond|angle|dihedral|improper STYLE NAME TYPE v_NAME | "
         "atom charge v_NAME … [scale yes|no] [reset yes|no]")
COUNTS = {"pair": 5, "bond": 4, "angle": 4, "dihedral": 4, "improper": 4, "atom": 2, "kspace": 1}


class Change:
    """One number that follows a variable; `put` gives it the value, or `factor` times what it was."""

    def __init__(self, system: System, name: str, user: str):
        if not name.startswith("v_"):
            raise InputError(f"{user}: '{name}' is not the name of a variable", "use v_NAME")
        self.system, self.name, self.user = system, name[2:], user

    def init(self) -> None:
        """A run begins: remember what is."""

    def put(self, value: float, scale: bool) -> None:
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

    def put(self, value: float, scale: bool) -> None:
        for place, before in self.before.items():
            self.table[place][self.word] = value * before if scale else value

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
        self.table = self.style.given
        self.remember(self.types)

    def renew(self) -> None:
        for term in self.system.evaluator.terms:
            if isinstance(term, LinkTerm) and term.style is self.style:
                term.renew()


class ChargeChange(Change):
    """atom charge v_NAME"""

    def __init__(self, system: System, words: list[str], user: str, bit: Any, field: str):
        super().__init__(system, words[1], user)
        if words[0] != "charge":
            raise InputError(f"{user}: atom {words[0]} is not available", "atoms have a charge")
        need_field(system.atoms, "q", user)
        self.bit, self.field = bit, field

    def init(self) -> None:
        if self.system.kspace is not None:
            raise InputError(f"{self.user}: charges cannot change under kspace_style", "use a pair style without it")
        self.system.atoms.edit(self.field)[:] = self.system.atoms.read("q")

    def put(self, value: float, scale: bool) -> None:
        atoms = self.system.atoms
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        atoms.edit("q")[rows] = value * atoms.read(self.field)[rows] if scale else value

    def undo(self) -> None:
        self.system.atoms.edit("q")[:] = self.system.atoms.read(self.field)

    def renew(self) -> None:
        self.system.evaluator.comm.forward(self.system, "q")


@fix_style("adapt")
class Adapt(Fix):
    """fix ID group adapt N pair STYLE[:N] NAME I J v_NAME | bond|angle|dihedral|improper STYLE NAME TYPE v_NAME | atom charge
    v_NAME … [scale yes|no] [reset yes|no]

    When a run is set up and every N steps (0: only then), before forces: coefficients, or charges of atoms of the group, are
    what variables say; scale: times what they were when the run began; reset: they are that again after the run.
    """

    reads, writes = ("q", "mask"), ("q",)
    put_back = ("fresh",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        self.interval, words = every_steps(args[0], "fix adapt", 0), list(args[1:])
        self.scale = self.reset = False
        self.changes: list[Change] = []
        while words:
            word = words.pop(0)
            count = COUNTS.get(word, 1)
            arguments(words[:count], count, count, USAGE)
            given, words = words[:count], words[count:]
            if word in ("scale", "reset"):
                setattr(self, word, yes_no(given[0], f"fix adapt {word}"))
            elif word == "mass" and given[0] == "no":
                continue
            elif word not in COUNTS or word == "kspace":
                raise unknown("attribute of fix adapt", word, [*COUNTS][:-1], f"usage: {USAGE}")
            else:
                self.changes.append(self._change(word, given))
        if not self.changes:
            raise InputError("fix adapt changes nothing", f"usage: {USAGE}")
        self.fresh = True

    def _change(self, word: str, given: list[str]) -> Change:
        user = f"fix {self.id}"
        if word == "pair":
            return PairChange(self.system, given, user)
        if word != "atom":
            return LinkChange(self.system, word, given, user)
        if self.field("charge") not in self.fields:
            self.add_field("charge")
        return ChargeChange(self.system, given, user, self.bit, self.field("charge"))

    def needs(self, step: int) -> tuple[str, ...]:
        if not self.interval or step % self.interval:
            return ()
        return tuple(need for change in self.changes for need in needs(self.system, f"v_{change.name}", step))

    def init(self) -> None:
        for change in self.changes:
            if variables(self.system, change.name).style(change.name) == "atom":
                raise InputError(f"fix {self.id}: variable '{change.name}' has values per atom", "use an equal-style variable")
            change.init()
        self.fresh = True

    def pre_force(self) -> None:
        """Also when a run is set up."""
        if not (self.fresh or self.interval and self.system.step % self.interval == 0):
            return
        self.fresh = False
        for change in self.changes:
            change.put(variables(self.system, change.name).evaluate(change.name), self.scale)
        self._renew()

    def _renew(self) -> None:
        """Each style once."""
        seen: list[Any] = []
        for change in self.changes:
            what = getattr(change, "style", "charges")
            if not any(what is one for one in seen):
                seen.append(what)
                change.renew()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Coefficients are those of before."""
        of_styles = [change for change in self.changes if isinstance(change, (PairChange, LinkChange))]
        held = [change.before for change in of_styles]
        for change in of_styles:
            change.before = {}
        try:
            with super().aside():
                yield
        finally:
            self._undo()
            for change, before in zip(of_styles, held, strict=True):
                change.before = before

    def end_of_run(self) -> None:
        if self.reset:
            self._undo()

    def _undo(self) -> None:
        for change in self.changes:
            change.undo()
        self._renew()

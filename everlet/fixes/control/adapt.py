"""Coefficients and charges that change in a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from everlet.computes.alchemy.changes import Change, ChargeChange, LinkChange, PairChange, SolverChange, renewed
from everlet.computes.words.references import needs
from everlet.errors import InputError, arguments, unknown, yes_no
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.state.system import System


class Kept(ChargeChange):
    """Atoms carry the charges that they had when the run began."""

    def __init__(self, fix: Fix, words: list[str], types: str):
        super().__init__(fix.system, words, f"fix {fix.id}", fix.bit, types)
        if fix.field("charge") not in fix.fields:
            fix.add_field("charge")
        self.field = fix.field("charge")

    def init(self) -> None:
        super().init()
        self.system.atoms.edit(self.field)[:] = self.system.atoms.read("q")

    def charges(self) -> np.ndarray:
        return self.system.atoms.read(self.field)


@fix_style("adapt")
class Adapt(Fix):
    """fix ID group adapt N pair STYLE[:N] NAME I J v_NAME | bond|angle|dihedral|improper STYLE NAME TYPE v_NAME | kspace v_NAME
    | atom charge v_NAME … [scale yes|no] [reset yes|no]

    When a run is set up and every N steps (0: only then), before forces: coefficients, or charges of atoms of the group, are
    what variables say, and kspace: what the long-range solver computes is so many times what it is without; scale: times what
    they were when the run began; reset: they are that again after the run.
    """

    kind = "adapt"
    counts = {"pair": 5, "bond": 4, "angle": 4, "dihedral": 4, "improper": 4, "atom": 2, "kspace": 1}
    switches: tuple[str, ...] = ("scale", "reset")
    usage = ("fix ID group adapt N pair STYLE[:N] NAME I J v_NAME | bond|angle|dihedral|improper STYLE NAME TYPE v_NAME | "
             "kspace v_NAME | atom charge v_NAME … [scale yes|no] [reset yes|no]")
    reads, writes = ("q", "mask", "type"), ("q",)
    put_back = ("fresh",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, self.usage)
        self.interval, words = every_steps(args[0], f"fix {self.kind}", 0), list(args[1:])
        self.scale = self.reset = self.after = False
        self.changes: list[Change] = []
        while words:
            word = words.pop(0)
            count = self.counts.get(word, 1)
            arguments(words[:count], count, count, self.usage)
            given, words = words[:count], words[count:]
            if word in self.switches:
                setattr(self, word, yes_no(given[0], f"fix {self.kind} {word}"))
            elif word == "mass" and given[0] == "no" and self.kind == "adapt":
                continue
            elif word not in self.counts:
                raise unknown(f"attribute of fix {self.kind}", word, [*self.counts], f"usage: {self.usage}")
            else:
                self.changes.append(self._change(word, given))
        if not self.changes:
            raise InputError(f"fix {self.kind} changes nothing", f"usage: {self.usage}")
        self.fresh = True

    def _change(self, word: str, given: list[str]) -> Change:
        user = f"fix {self.id}"
        if word == "kspace":
            return SolverChange(self.system, given, user)
        if word == "pair":
            return PairChange(self.system, given, user)
        return LinkChange(self.system, word, given, user) if word != "atom" else self._charges(given)

    def _charges(self, given: list[str]) -> Change:
        return Kept(self, given, "*")

    def due(self, step: int) -> bool:
        """Values are put at this step of a run."""
        if self.after and self.interval > 1:  # the set-up has changed them for step 1
            return step > 1 and (step - 1) % self.interval == 0
        return bool(self.interval) and step % self.interval == 0

    def needs(self, step: int) -> tuple[str, ...]:
        if not self.due(step):
            return ()
        return tuple(need for change in self.changes for need in needs(self.system, f"v_{change.name}", step))

    def init(self) -> None:
        for change in self.changes:
            change.init()
        self.fresh = True

    def pre_force(self) -> None:
        """Also when a run is set up."""
        if not (self.fresh or self.due(self.system.step)):
            return
        self.fresh = False
        for change in self.changes:
            self._put(change, change.value())
        renewed(self.changes)

    def _put(self, change: Change, value: float) -> None:
        change.put(lambda before: value * before if self.scale else value)

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
        renewed(self.changes)


@fix_style("adapt/fep")
class AdaptFep(Adapt):
    """fix ID group adapt/fep N pair STYLE[:N] NAME I J v_NAME | kspace v_NAME | atom charge TYPE v_NAME … [scale yes|no]
    [reset yes|no] [after yes|no]

    As fix adapt, with charges of atoms of these types in the group; after: one step after the multiples of N, so that those
    belong to the averages that end there.
    """

    kind = "adapt/fep"
    counts = {"pair": 5, "atom": 3, "kspace": 1}
    switches = ("scale", "reset", "after")
    usage = ("fix ID group adapt/fep N pair STYLE[:N] NAME I J v_NAME | kspace v_NAME | atom charge TYPE v_NAME … [scale "
             "yes|no] [reset yes|no] [after yes|no]")

    def _charges(self, given: list[str]) -> Change:
        return Kept(self, [given[0], given[2]], given[1])

    def init(self) -> None:
        super().init()
        if self.scale and any(isinstance(change, Kept) for change in self.changes):
            raise InputError(f"fix {self.id}: scale yes is for coefficients of pairs alone", "leave it out, or use fix adapt")

"""The fixes, computes and the pair style of an engine: added, replaced and removed by name."""

from __future__ import annotations

from typing import Any, TypeVar

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, as_words, one_of
from everlet.fixes.base import Fix, fix_style
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.io.log import Log
from everlet.registry import Registry
from everlet.run.planning import Planner
from everlet.run.turns import Turns, acts
from everlet.state.continuing import drop_fields
from everlet.state.host_side import base_name, side
from everlet.state.operation import Operation
from everlet.state.system import System

AnOperation = TypeVar("AnOperation", bound=Operation)


class Operations:
    """What an engine has in common with its script: operations by name."""

    system: System
    planner: Planner
    pair_side: Any
    log: Log
    turns: Turns

    def changed(self, *what: str) -> None:
        """Something is not as it was."""
        raise NotImplementedError

    def tell(self) -> None:
        """Lines that fixes have for the log."""
        raise NotImplementedError

    @acts
    def add_fix(self, id: str, group: str, style: str, args: list[str]) -> Fix:
        """A fix with the id of another one takes its place in the order of fixes, if it is of the same style."""
        system, before = self.system, self.system.fixes.get(id)
        if before is not None and before.style != style:
            raise InputError(f"fix '{id}' exists already and is of style {before.style}", f"use unfix {id} first")
        self.changed()
        if before is not None:
            before.remove()
        fix = system.fixes[id] = self._made(fix_style, id, group, style, args)
        self.tell()
        return fix

    @acts
    def remove_fix(self, id: str) -> None:
        one_of("fix", id, self.system.fixes)
        self.changed()
        self.system.fixes.pop(id).remove()

    @acts
    def add_compute(self, id: str, group: str, style: str, args: list[str]) -> Compute:
        if id in self.system.computes:
            raise InputError(f"compute '{id}' exists already", "choose another id, or remove it with uncompute")
        compute = self.system.computes[id] = self._made(compute_style, id, group, style, args)
        return compute

    def _made(self, registry: Registry[type[AnOperation]], id: str, group: str, style: str, args: list[str]) -> AnOperation:
        """A new operation, which goes on from a restart file if that has the same one; the log says if it does."""
        system, made, args = self.system, self._style(registry, style), as_words(args, "arguments")
        word = f"{made.letter}_{id}"
        kept = system.kept_operations.get(word)
        why = kept.why_not(made, style, group, args, system.step) if kept is not None else ""
        if kept is not None and why:
            drop_fields(system, kept)
        one = made(side(system, style), id, group, args)
        one.style, one.args = style, tuple(args)
        if kept is not None:
            del system.kept_operations[word]
            if not why:
                one.restore(kept.state)
            name = f"{one.what} {id} ({style})"
            self.log.write(f"{name} begins afresh: {why}" if why else f"{name} goes on from the restart file")
        return one

    @acts
    def remove_compute(self, id: str) -> None:
        one_of("compute", id, self.system.computes)
        self.system.computes.pop(id).remove()

    @acts
    def set_pair(self, style: str, args: list[str]) -> None:
        """Choose the pair style; the same style again keeps its coefficients."""
        args = as_words(args, "arguments")
        self.changed()
        self.system.evaluator = None
        before = _parts(self.system.pair)
        if style == "none":
            self.system.pair = None
        else:
            made = self._style(pair_style, style)
            self.pair_side = side(self.system, style)
            if type(self.system.pair) is made:
                self.system.pair.configure(args)
            else:
                self.system.pair = made(self.system, args)
        for gone in before:
            if gone not in _parts(self.system.pair):
                gone.leave()

    def _style(self, registry: Any, name: str) -> Any:
        """A style by name; accelerator suffixes name the same style here."""
        base = base_name(name)
        return registry[base if name not in registry and base in registry else name]


def _parts(pair: PairStyle | None) -> list[PairStyle]:
    """The styles that a pair style is made of."""
    return [] if pair is None else list(pair.sub_styles) or [pair]

"""Launches of hooks that are collected instead of run: what hooks may ask for meanwhile.

Loops of a step are fused, and steps are replayed (graphs.py), with the arguments that they had when collected. A hook
that goes by something on the host would go by what it was then. So the owners of such things say when they are asked
(Space.ask): the number of the step, variables, fields of atoms, numbers of arrays; and here it is found if a hook goes by the
box while kernels change it, by numbers of its own that it changes, or by numbers of unknown origin. All of them raise AsksHost:
the steps of such a run are launched one by one, and nobody need know of graphs to write a fix.

What is the same in all steps of a run may be read: the box if nobody changes it, the timestep, the number of atoms. Graphs that
were captured with other values are made anew (`Replay.graph`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from everlet.errors import AsksHost
from everlet.fixes.base import Fix
from everlet.portable import Space, View
from everlet.portable.batch import Launch, collected
from everlet.portable.views import Scattered

NUMBERS = itertools.count(1)  # of collections


class Collection:
    """Hooks of a loop are called through it while their launches are collected. kept: these are run at other steps, too."""

    def __init__(self, loop: Any, kept: bool):
        self.space, self.box, self.moving = loop.system.space, loop.system.need_box(), bool(loop.moving)
        self.number = next(NUMBERS) if kept else 0
        self.reads_box = False  # launches have numbers of the box, which stays as it is
        self.made: dict[tuple[str, str], list[Launch]] = {}  # by hooks, when they were called last

    def call(self, fix: Fix, hook: str, function: Callable[[], None]) -> None:
        space, box, name = self.space, self.box, f"fix {fix.id}"
        asked, numbers, first, before = box.asked, own_numbers(fix), len(space.queue or ()), dict(vars(fix))
        space.asker, space.kept = f"{name} in {hook}", self.number
        try:
            function()
            if box.asked != asked and not fix.changes_box:
                self.reads_box = True
                if self.moving:
                    space.ask("the box, which kernels change")
            changed = [key for key, value in own_numbers(fix).items() if value is not numbers.get(key) != value]
            if changed and self.number:
                space.ask(f"self.{', self.'.join(changed)}, which it changes")
            launches = (space.queue or [])[first:]
            if self.number and _differ(space, self.made.setdefault((fix.id, hook), launches), launches):
                space.ask("numbers that are others whenever it is called")
        except AsksHost:  # what it has begun it will begin again
            vars(fix).clear()
            vars(fix).update(before)
            raise
        finally:
            space.asker, space.kept = "", 0


def own_numbers(fix: Fix) -> dict[str, Any]:
    """Plain numbers and words that a fix has, by name."""
    return {name: value for name, value in vars(fix).items() if isinstance(value, (int, float, str, np.generic))}


def alike(space: Space, one: list[Launch], other: list[Launch]) -> bool:
    """The same kernels with the same arguments."""
    return len(one) == len(other) and all(
        a[:2] == b[:2] and len(a[2]) == len(b[2]) and all(_equal(space, *both) for both in zip(a[2], b[2], strict=True))
        for a, b in zip(one, other, strict=True))


def _equal(space: Space, one: Any, other: Any) -> bool:
    if one is other:
        return True
    if isinstance(one, Scattered) and isinstance(other, Scattered):
        return one.copy_size == other.copy_size and _equal(space, one.view, other.view)
    if isinstance(one, View) or isinstance(other, View):
        return isinstance(one, View) and isinstance(other, View) and space.same(one.data, other.data)
    if np.ndim(one) or np.ndim(other):
        return type(one) is type(other) and space.same(one, other)
    return bool(one == other)


def _differ(space: Space, before: list[Launch], now: list[Launch]) -> bool:
    """Arrays or floating-point numbers among arguments are others than before; whole numbers may name the place in a plan."""
    return any(not isinstance(a, (int, np.integer)) and not _equal(space, a, b)
               for one, other in zip(before, now, strict=False) for a, b in zip(one[2], other[2], strict=False))


@contextmanager
def collecting(loop: Any, kept: bool) -> Iterator[list[Launch]]:
    """Launches made inside are put into a list; hooks that ask the host raise AsksHost."""
    loop.collection = Collection(loop, kept)
    try:
        with collected(loop.system.space) as found:
            yield found
    finally:
        loop.collection = None

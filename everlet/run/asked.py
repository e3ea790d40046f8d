"""Questions that differ from the last one in positions alone, answered without Python between their kernels.

    note      around the launches of an ordinary question (beside.py), whose lists were good enough
    answer    the same launches again, for atoms that nothing but their positions has changed of

As steps of cores are repeated (repeats.py): with the launches that an ordinary question has made, and so with its bits. If an
atom has moved too far, or anything else is not as it was, the question is an ordinary one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.portable import View
from everlet.portable.backends.cpu.ready import Steps
from everlet.portable.spaces import LATER
from everlet.portable.tapes import Tape, taped
from everlet.run.checks import check_numbers
from everlet.state.control import STOP

if TYPE_CHECKING:  # they know this file
    from everlet.neighbor.again import Within
    from everlet.run.beside import Beside
    from everlet.run.step import Timestep

MOVED = frozenset(("x", "v", "image", "words"))  # since the last question
LOOK = b"\1"  # one step of the list, with the test whether an atom has moved too far


class Asked:
    """The last question of an engine."""

    def __init__(self, beside: Beside):
        self.beside, self.system = beside, beside.system
        self.forget()

    def forget(self) -> None:
        self.head, self.rest = Tape(str), Tape(str)
        self.steps: Steps | None = None
        self.copies: list[tuple[np.ndarray, np.ndarray]] = []  # to, from
        self.made = -1  # views, by then

    def places(self) -> tuple[Within, Within]:
        """What launches are made in: the test of displacements, and all behind it."""
        space = self.system.space
        return lambda: taped(space, self.head), lambda: taped(space, self.rest)

    def note(self, whole: Any) -> None:
        """A question was answered with these tapes, about copies of these atoms."""
        mine = self.beside.atoms
        if self.head.spoiled or self.rest.spoiled or not self.head.launches:
            return
        self.steps = Steps([[(launch, 0) for launch, _ in tape.launches] for tape in (self.head, Tape(str), self.rest)], 1)
        self.copies = []
        for source, to, name in ((whole, mine, "x"), (whole, mine, "image"), (mine, whole, "f")):
            size = whole.n * mine.view(name).width
            self.copies.append((to.view(name, modify=True).data[:size], source.view(name).data[:size]))
        self.made = View.made

    @staticmethod
    def notes(loop: Timestep) -> bool:
        """Launches of this loop may be the same for other positions."""
        space = loop.system.space
        return bool(space.repeats and loop.system.world.size == 1 and loop.steady_between()
                    and not any(loop.hooks.values()) and space.watch is None)

    def answer(self) -> bool:
        """The present question, if it can be answered so."""
        beside, system = self.beside, self.system
        fresh, loop, space = system.fresh, beside.loop, system.space
        if self.steps is None or loop is None or self.made != View.made or space.watch is not None:
            return False
        changed = fresh.since(beside.asked_at)
        if changed is None or not changed <= MOVED or "v" in changed and system.carries_velocity or not self._kept():
            return False
        *given, (f, found) = self.copies
        for to, source in given:
            to[:] = source
        if not self.steps.run(LOOK, space.control, STOP, LATER):
            space.reset_control()
            return False
        f[:] = found
        loop.take()
        loop.evaluator.made_again()
        beside.asked_at = beside.planner.made_at = fresh.count
        fresh.known = True
        if "v" in changed or not math.isfinite(sum(loop.evaluator.sums.view.data.tolist())):
            with np.errstate(all="ignore"):
                check_numbers(system)
        return True

    def _kept(self) -> bool:
        """The loop is made of the same things, and of the copies."""
        system, whole = self.system, self.system.atoms
        system.atoms = self.beside.atoms
        try:
            return self.beside.planner.keeps()
        finally:
            system.atoms = whole

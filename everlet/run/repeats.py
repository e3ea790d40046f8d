"""Steps that need nothing from the host, repeated on cores without Python.

What replayed graphs are on a GPU (graphs.py) a list of launches is here: an ordinary step is made and its launches are noted,
with the arguments that they had (portable/tapes.py). If the next one makes the same launches, those that follow are that list
again, until there is an event, or an atom has moved too far: what then follows is made by ordinary code, and noted anew. So
repeated steps launch what ordinary ones do, and have their bits.

A hook or a term that asks the host at every step is found while its launches are noted, as on a GPU (collecting.py).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from everlet.portable import View
from everlet.portable.backends.cpu.ready import Steps
from everlet.portable.spaces import LATER
from everlet.portable.tapes import Tape, taped
from everlet.run.collecting import Collection
from everlet.state.control import STOP

LONGEST = 64  # steps between two looks at signals and the clock,
PATIENCE = 0.02  # and seconds
TRIES = 6  # steps whose launches are of no use, one after the other: no more are noted


class Repeats:
    """Repeats the steps of a Timestep."""

    def __init__(self, loop: Any):
        self.loop, self.system, self.space = loop, loop.system, loop.system.space
        self.begins = True  # hooks of the begin of a run were called
        self.ends = any(fix.every > 1 and fix.overrides("end_of_step") for fix in loop.fixes)
        self.heads: dict[bool, Tape] = {}  # up to the new positions; by whether displacements are tested
        self.rest: Tape | None = None  # of the step
        self.again = False  # two steps have made the same launches
        self.tries = 0
        self.steps: Steps | None = None  # of these tapes
        self.phases: list[str] = []  # whose times are taken
        self.stamp: tuple[Any, ...] = ()
        self.most = 1  # steps that take no longer than PATIENCE

    @staticmethod
    def why_not(loop: Any) -> str:
        """Why steps of this loop cannot be repeated; empty if they can."""
        system = loop.system
        if not system.space.repeats or system.ranks.size > 1 or not loop.steady_between():
            return "the host has work at every step"
        return ""

    def forget(self) -> None:
        self.heads, self.rest, self.steps = {}, None, None

    def _stamp(self) -> tuple[Any, ...]:
        """What launches go by that may be another one after an event."""
        system = self.system
        return (View.made, system.atoms.ghost_sets, system.atoms.n, system.dt, system.masses.tobytes(), self.space.threads,
                system.need_box().params().tobytes(), tuple(fix.variant for fix in self.loop.fixes))

    def advance(self, most: int) -> None:
        """Make so many steps, or fewer."""
        loop, system, timers = self.loop, self.system, self.loop.timers
        if timers.level == "full" or timers.meet is not None or timers.finish is not None or self.space.watch is not None:
            return
        if self.begins or self.ends or any(visit.changes for visit in loop.outputs.visits) or self._stamp() != self.stamp:
            self.forget()  # the host may have given anything other numbers
        last, self.begins = system.step + most, False
        while loop.repeats is self and system.step < min(last, loop.outputs.until(system.step) - 1):
            due = self._due(min(last, loop.outputs.last - 1) - system.step)  # a look may shorten the run
            if due:
                self._repeat(due)
            else:
                self._make()

    def _due(self, steps: int) -> bytes:
        """Of the next steps that can be repeated, which look whether an atom has moved too far."""
        if self.rest is None or not self.again:
            return b""
        decision, found = self.loop.neighbor.decision, []
        for ago in range(decision.ago + 1, decision.ago + 1 + min(steps, self.most)):
            due = decision.allowed(ago)
            if due not in self.heads or due and not decision.settings.check:
                break
            found.append(due)
        return bytes(found)

    # ---- steps whose launches are noted
    def _make(self) -> None:
        loop, tape, head = self.loop, Tape(lambda: loop.timers.phase), Tape(lambda: loop.timers.phase)
        before = dict(self.heads)
        now, checked = loop.step(lambda: self._noting(head), lambda: self._noting(tape))
        if now.rebuild:
            self.forget()
            return
        if now.tally or now.asked:
            tape.spoil("numbers are summed up at every step")
        if head.spoiled or tape.spoiled:
            self.tries += 1
            if self.tries >= TRIES:
                loop.repeats = None
            return
        known = before.get(checked)
        self.again = self.again or known is not None and self.rest is not None and known.alike(head) and self.rest.alike(tape)
        self.tries = 0 if self.again else self.tries + (known is not None)
        self.heads[checked], self.rest, self.steps = head, tape, None
        self.stamp = self._stamp()
        if self.tries >= TRIES:
            loop.repeats = None

    @contextmanager
    def _noting(self, tape: Tape) -> Iterator[None]:
        self.loop.collection = Collection(self.loop, kept=True)
        try:
            with taped(self.space, tape):
                yield
        finally:
            self.loop.collection = None

    # ---- steps that are repeated
    def _listed(self) -> Steps:
        """The launches of all tapes."""
        nothing = Tape(str)
        tapes = [self.heads.get(True, nothing), self.heads.get(False, nothing), self.rest or nothing]
        self.phases = list(dict.fromkeys(phase for tape in tapes for _, phase in tape.launches))
        places = {phase: k for k, phase in enumerate(self.phases)}
        return Steps([[(launch, places[phase]) for launch, phase in tape.launches] for tape in tapes], len(places))

    def _repeat(self, due: bytes) -> None:
        loop, system, decision = self.loop, self.system, self.loop.neighbor.decision
        steps = self.steps = self.steps or self._listed()
        begin = time.perf_counter()
        done = steps.run(due, self.space.control, STOP, LATER)
        seconds = time.perf_counter() - begin
        for phase, spent in zip(self.phases, steps.times.tolist(), strict=False):
            loop.timers.add(phase, spent)
        steps.times[:] = 0.0
        self.most = max(1, min(LONGEST, 2 * self.most, int(PATIENCE * len(due) / max(seconds, 1e-9))))
        system.step += done
        decision.ago += done
        for fix in loop.fixes:
            fix.replayed()
        if done < len(due):  # this step is integrated and goes on with new lists
            system.step += 1
            decision.ago += 1
            loop.go_on(True)
            self.forget()

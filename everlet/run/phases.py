"""The step as one list of phases, STEP, in their order. Whoever makes steps, or a part of them, reads it:

    a step (step.py)              all of them
    replayed steps (graphs.py)    all of them, collected; or the rest of one that was integrated before
    a set-up, rerun, questions    lists, what comes before forces, forces
    minimisers (landscape.py)     TO_FORCES, and of the rest what does not belong to the passing of time
    trials of the tuner           TO_FORCES: lists and forces, of a loop that calls no hook

Decisions (whether lists are made anew, what is tallied) are made by the callers, and handed on as a Now.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from everlet.neighbor.lists import Neighbor
from everlet.portable import Space
from everlet.run.evaluator import Evaluator
from everlet.run.timers import Timers
from everlet.state.clock import advance, ready
from everlet.state.system import System


class Loop(Protocol):
    """What phases are made with: a Timestep."""

    system: System
    evaluator: Evaluator
    neighbor: Neighbor
    timers: Timers
    hooks: dict[str, list[Any]]
    clocks: list[Space]

    def call(self, hook: str) -> None: ...

    def rebuild(self) -> None: ...


class Now(NamedTuple):
    """What this step does, where steps differ."""

    check: bool = False  # it is tested whether an atom has moved too far
    place: int = 0  # of the step among those that are replayed: the test stops them there
    rebuild: bool = False  # ghosts and lists are made anew
    tally: bool = False  # virials are summed up, and energies
    energy: bool = True  # unless these are not asked for
    asked: frozenset[tuple[str, str]] = frozenset()  # what fixes want of pair styles besides forces; never of replayed steps


def integrate(loop: Loop, now: Now) -> None:
    """Up to the new positions; the test of displacements is part of the loop."""
    loop.call("initial_integrate")
    loop.call("post_integrate")
    if now.check:
        loop.neighbor.mark_moved(now.place)


def lists(loop: Loop, now: Now) -> None:
    if now.rebuild:
        with loop.timers("Neigh"):
            loop.rebuild()
    else:
        with loop.timers("Comm"):
            loop.evaluator.forward()


def before_forces(loop: Loop, now: Now) -> None:
    if loop.hooks["pre_force"]:
        with loop.timers("Modify"):
            loop.call("pre_force")
            if loop.system.space.queue is not None:
                ready(loop.system.space, loop.system.space.place + 1)


def forces(loop: Loop, now: Now) -> None:
    loop.evaluator.compute(now.tally, now.energy, now.asked)


def tick(loop: Loop, now: Now) -> None:
    """The clock goes on here, between loops that cannot be fused anyway: those that integrate follow the last ones."""
    for clock in loop.clocks:
        advance(clock)


def after_forces(loop: Loop, now: Now) -> None:
    loop.call("post_force")
    loop.evaluator.settle()


def finish(loop: Loop, now: Now) -> None:
    loop.call("final_integrate")
    loop.call("end_of_step")


Phase = Callable[[Loop, Now], None]
Phases = tuple[Phase, ...]
STEP: Phases = (integrate, lists, before_forces, forces, tick, after_forces, finish)
TIME = (integrate, tick, finish)  # of these, what belongs to its passing


def part(first: Phase, last: Phase = finish) -> Phases:
    """The phases from one to another."""
    return STEP[STEP.index(first) : STEP.index(last) + 1]


FORCES, TO_FORCES, REST = part(before_forces, forces), part(lists, forces), part(tick)
STILL: Phases = tuple(phase for phase in REST if phase not in TIME)  # the rest, where no time passes

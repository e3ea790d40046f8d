"""Operations of LU for each point and section, counted from the texts of its kernels, and γ: what they should take by the
cycles of `everlet micro`, over what they take (perf/gamma.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from everlet.lu.problem import CLASSES
from everlet.lu.schedule import Planes, Strips, schedule
from everlet.lu.solver import Choice, Solver, settled
from everlet.perf.gamma import Phase, lanes_of, predicted
from everlet.perf.operations import counted
from everlet.portable import Kernel, Reference, Space
from everlet.state.ranks import SingleRank

FLOPS = {"add": 1, "mul": 1, "fma": 2, "div": 1}


@dataclass
class Watch:
    """Counts the operations of every launch, which then runs as usual."""

    space: Space
    measured: Space
    points: int
    section: str = ""

    def __post_init__(self) -> None:
        self.phases: dict[str, Phase] = {}

    def __call__(self, kernel: Kernel, items: Any, args: tuple[Any, ...], launch: Callable[[], None]) -> None:
        phase = self.phases.setdefault(self.section, Phase())
        width, alone = lanes_of(kernel, self.measured)
        phase.add(counted(self.space, kernel, int(items), args, width, alone), self.points)
        phase.launches += 1
        launch()


def work(choice: Choice, measured: Space) -> dict[str, Phase]:
    """The sections of an iteration, counted on class S in plain Python; launches are those of the problem."""
    space = Reference()
    small = replace(choice, problem=CLASSES["S"], ranks=None, kblock=0)
    solver = Solver(small, space, SingleRank())
    solver.begin()
    watch = space.watch = Watch(space, measured, 10**3)
    try:
        for name, section in solver.sections.items():
            watch.section = name
            section()
    finally:
        space.watch = None
    for name in ("lower", "upper"):
        watch.phases[name].launches = launches(choice)
    return watch.phases


def launches(choice: Choice) -> int:
    """Launches of a sweep on one rank."""
    inner = choice.problem.n - 2
    steps = schedule(choice.algorithm, choice.blocking, inner, inner, inner, choice.kblock)
    return sum(len(step.planes) if isinstance(step, Planes) else isinstance(step, Strips) for step in steps)


def flops(phase: Phase) -> float:
    """Additions and multiplications of one point; a fused multiply-add is two."""
    return sum(FLOPS.get(what, 0) * number for (what, kind), number in phase.counts.items() if kind != "whole")


def accesses(phase: Phase) -> float:
    """Numbers read and written for one point."""
    names = ("load", "element", "put", "store", "gather")
    return sum(number for (what, _), number in phase.counts.items() if what in names)


def gammas(choice: Choice, space: Space, sections: dict[str, float]) -> list[dict[str, Any]]:
    """A row for each section; `sections` are measured seconds of one iteration."""
    choice = settled(choice, space, SingleRank())
    points, rows = (choice.problem.n - 2) ** 3, []
    for name, phase in work(choice, space).items():
        seconds, limit = predicted({name: phase}, (name,), space, points)
        operations = {f"{what} {kind}": round(number, 3) for (what, kind), number in sorted(phase.counts.items())}
        rows.append({"section": name, "flops": flops(phase), "accesses": accesses(phase), "launches": phase.launches,
                     "seconds": sections[name], "predicted": seconds, "gamma": seconds / sections[name], "limit": limit,
                     "operations": operations})
    return rows

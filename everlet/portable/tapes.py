"""Tapes: launches that were run one by one, to be run again as one list, with the arguments that they had.

    with taped(space, label) as tape:
        parallel_for(…)                           # runs as ever, and is noted
    if not tape.spoiled:
        steps = Steps([tape.launches, …])         # (backends/cpu/ready.py)

Only launches are noted. Whoever asks the host for something that may be another one the next time (Space.ask), wants sums,
calls a function of a library or fills constants spoils the tape, which says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from everlet.portable.spaces import Space


class Tape:
    """label: what the present launch is a part of."""

    def __init__(self, label: Callable[[], str]):
        self.label = label
        self.launches: list[tuple[Any, str]] = []
        self.spoiled = ""

    def run(self, launch: Any) -> None:
        """Run a launch that is ready, and note it."""
        launch()
        self.launches.append((launch, self.label()))

    def spoil(self, why: str) -> None:
        self.spoiled = self.spoiled or why

    def alike(self, other: Tape) -> bool:
        """The same kernels for the same items, with the same arguments."""
        return [(*one.numbers(), one.words) for one, _ in self.launches] == [
            (*one.numbers(), one.words) for one, _ in other.launches]


@contextmanager
def taped(space: Space, tape: Tape) -> Iterator[None]:
    """What is launched inside is noted."""
    space.tape = tape
    try:
        yield
    finally:
        space.tape = None


def fill_zero(space: Space, array: Any) -> None:
    """A contiguous array, or a part of one, is 0 from now on."""
    if space.tape is not None:
        from everlet.portable.backends.cpu.ready import zeros

        space.tape.run(zeros(array))
    else:
        array[:] = 0

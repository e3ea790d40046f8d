"""What a command that takes long is doing: on a terminal one line with the time so far, on standard error; elsewhere a line
when a stage begins and none was written for a while.

    with shown("study gamma"):
        for case in counted(cases):     # a bar: 3 of 12
            stage("lj, 32000 atoms")

Outside of `shown`, and with `everlet --quiet`, nothing is said: whoever measures need not know who waits.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE = 10.0  # seconds without a word


class Shown:
    """The line of a command."""

    def __init__(self, name: str):
        self.name, self.parts = name, list[str]()
        self.begin = self.last = time.monotonic()
        self.bar: Any = None
        self.count: tuple[int, int] | None = None  # of parts that are done, of all
        if sys.stderr.isatty() and not quiet:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            columns = TextColumn("{task.description}", markup=False), BarColumn(bar_width=20), TimeElapsedColumn()
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True,
                                refresh_per_second=1)  # seldom: what is measured shares the processor
            self.bar.add_task(name, total=None)
            self.bar.start()

    def say(self, text: str) -> None:
        share = [] if self.count is None else [f"{self.count[0] + 1} of {self.count[1]}"]
        line, now = ": ".join([self.name, *share, *self.parts, text]), time.monotonic()
        if self.bar is not None:
            done, total = self.count or (0, None)
            self.bar.update(self.bar.task_ids[0], description=line, completed=done, total=total)
        elif quiet:
            return
        elif now - self.last >= PATIENCE:
            self.last = now
            print(f"{line} (after {now - self.begin:.0f} s)", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()


_now: Shown | None = None  # a process does one command
quiet = False  # nobody wants to know


def hush() -> None:
    """Nothing is said from now on."""
    global quiet
    quiet = True


@contextlib.contextmanager
def shown(name: str) -> Iterator[None]:
    """Inside of this stages are shown. A command that another one calls is a part of it."""
    global _now
    if _now is not None:
        with part(name):
            yield
        return
    _now = Shown(name)
    try:
        yield
    finally:
        done, _now = _now, None
        done.close()


@contextlib.contextmanager
def part(text: str) -> Iterator[None]:
    """Stages inside of this are of a larger one, which is said before each of them."""
    here = _now
    if here is not None:
        here.parts.append(text)
    try:
        yield
    finally:
        if here is not None:
            here.parts.pop()


def stage(text: str) -> None:
    """Something begins that may take a while."""
    if _now is not None:
        _now.say(text)


def counted(things: Sequence[T]) -> Iterator[T]:
    """Each of them, while what is said tells how many are done."""
    here, before = _now, None if _now is None else _now.count
    try:
        for place, thing in enumerate(things):
            if here is not None and before is None:  # of parts of a part only those of the whole are counted
                here.count = place, len(things)
            yield thing
    finally:
        if here is not None:
            here.count = before


def compiling(text: str) -> bool:
    """Kernels are compiled; tells whether that was said here."""
    if _now is not None:
        _now.say(text)
    return quiet or _now is not None

"""Progress on the screen: a bar during a run, and a line while kernels are compiled. Only on a terminal."""

from __future__ import annotations

import sys
import weakref
from typing import Any, Self

from everlet.io import stages
from everlet.io.log import Log
from everlet.portable import cache


class Progress:
    """A bar on standard error from step `first` to `last`; rows printed meanwhile appear above it."""

    def __init__(self, log: Log, first: int, last: int, asked: bool = False):
        self.log, self.first, self.last = log, first, last
        self.shown = not stages.quiet and (asked or log.screen_name == "stdout" and sys.stderr.isatty()) and last > first
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Self:
        if self.shown:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            console = Console(stderr=True)
            columns = (TextColumn("step"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self.bar = Bar(*columns, console=console, transient=True, refresh_per_second=4, redirect_stdout=False,
                           redirect_stderr=False)
            if sys.stdout.isatty():  # the same terminal: text goes above the bar, as it is, without folding long rows
                self.log.above = lambda text: console.print(text, end="", soft_wrap=True, markup=False, highlight=False,
                                                            emoji=False)
            self.task = self.bar.add_task("step", total=self.last - self.first)
            self.bar.start()
        return self

    def update(self, step: int) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=step - self.first)

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = self.log.above = None


def _kernel(name: str) -> str:
    """As its author calls it."""
    return name.removeprefix("k_").rsplit("_", 1)[0]


def announce_compiling(log: Log) -> None:
    """Show which kernel is being compiled, unless the screen is off. A log that nobody else has any more is let go."""
    shown = weakref.ref(log)

    def report(done: int, total: int, name: str) -> None:
        log = shown()
        if stages.compiling(f"compiling {done} of {total} kernels{name and f', {_kernel(name)}'}"):
            return
        if log is not None and log.screen_name != "none":
            kernel = _kernel(name)
            if not name and not sys.stderr.isatty():
                return  # the line before said the same
            end = "\n" if not name or not sys.stderr.isatty() else "\r"
            text = f"compiling {done} of {total} kernels {kernel:<30}"
            print(text if end == "\r" else text.rstrip(), end=end, file=sys.stderr, flush=True)

    cache.report = report

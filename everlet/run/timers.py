"""Where the time of a run goes: seconds by phase."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Hook = Callable[[], None]


class Timers:
    """Wall-clock seconds per phase; at the level `full` also CPU seconds, at `off` and `loop` nothing.

    meet() waits for the other ranks after each phase, if it is given; that time is the phase Sync.
    """

    def __init__(self, level: str = "normal", meet: Hook | None = None) -> None:
        self.level, self.meet = level, meet
        self.seconds: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        self.asked = 0.0
        self.phase = ""  # the present one

    def clear(self) -> None:
        self.seconds.clear()
        self.cpu.clear()
        self.asked = 0.0

    def work(self) -> float:
        """Seconds spent on what grows with the atoms of a rank, since this was asked before."""
        now, before = self.seconds.get("Pair", 0.0) + self.seconds.get("Neigh", 0.0), self.asked
        self.asked = now
        return now - before

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        if self.level in ("off", "loop"):
            yield
            return
        cpu = time.process_time() if self.level == "full" else 0.0
        begin, before, self.phase = time.perf_counter(), self.phase, phase
        yield
        self.phase = before
        self.seconds[phase] = self.seconds.get(phase, 0.0) + time.perf_counter() - begin
        if self.level == "full":
            self.cpu[phase] = self.cpu.get(phase, 0.0) + time.process_time() - cpu
        if self.meet is not None:
            begin = time.perf_counter()
            self.meet()
            self.seconds["Sync"] = self.seconds.get("Sync", 0.0) + time.perf_counter() - begin

"""Where the time of a run goes: seconds by phase."""

from __future__ import annotations

import time
from collections.abc import Callable

Hook = Callable[[], None]
SILENT = ("off", "loop")  # levels at which no phase is measured


class Timers:
    """Wall-clock seconds per phase; at the level `full` also CPU seconds, at `off` and `loop` nothing.

    finish() is called at the end of each phase, if it is given, and belongs to it. meet() waits for the other ranks after
    each phase; that time is the phase Sync.
    """

    def __init__(self, level: str = "normal", meet: Hook | None = None, finish: Hook | None = None) -> None:
        self.level, self.meet, self.finish = level, meet, finish
        self.seconds: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        self.asked = 0.0
        self.phase = ""  # the present one
        self._phases: dict[str, Phase] = {}

    def clear(self) -> None:
        self.seconds.clear()
        self.cpu.clear()
        self.asked = 0.0

    def add(self, phase: str, seconds: float) -> None:
        """Time that was taken elsewhere."""
        if self.level not in SILENT:
            self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds

    def work(self) -> float:
        """Seconds spent on what grows with the atoms of a rank, since this was asked before."""
        now, before = self.seconds.get("Pair", 0.0) + self.seconds.get("Neigh", 0.0), self.asked
        self.asked = now
        return now - before

    def __call__(self, phase: str) -> Phase:
        """`with timers("Pair"):` measures the block; one phase inside of another counts for both."""
        found = self._phases.get(phase)
        if found is None:
            found = self._phases[phase] = Phase(self, phase)
        return found


class Phase:
    """The time of one phase. It is made once: short runs enter it thousands of times."""

    def __init__(self, timers: Timers, name: str):
        self.timers, self.name = timers, name
        self._entered: list[tuple[str, float, float]] = []  # the phase before, and the times of the beginning

    def __enter__(self) -> None:
        timers = self.timers
        if timers.level in SILENT:
            return
        cpu = time.process_time() if timers.level == "full" else 0.0
        self._entered.append((timers.phase, time.perf_counter(), cpu))
        timers.phase = self.name

    def __exit__(self, error: object, *rest: object) -> None:
        timers, name = self.timers, self.name
        if timers.level in SILENT:
            return
        timers.phase, begin, cpu = self._entered.pop()
        if error is not None:
            return
        if timers.finish is not None:
            timers.finish()
        timers.seconds[name] = timers.seconds.get(name, 0.0) + time.perf_counter() - begin
        if timers.level == "full":
            timers.cpu[name] = timers.cpu.get(name, 0.0) + time.process_time() - cpu
        if timers.meet is not None:
            begin = time.perf_counter()
            timers.meet()
            timers.seconds["Sync"] = timers.seconds.get("Sync", 0.0) + time.perf_counter() - begin

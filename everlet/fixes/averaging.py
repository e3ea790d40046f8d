"""What fixes that average in time have in common: when they take samples, and what they make of the means.

    schedule = Schedule(every=2, repeat=3, freq=100)     # samples at 96 98 100, 196 198 200, ...
    schedule.next(0)                                     # 96
    mean = Means("window", 4)                            # the mean over the last four windows
    mean.add(values)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError, integer, unknown


@dataclass
class Schedule:
    """Windows of `repeat` samples, `every` steps apart, that end at multiples of `freq` from step `start` on."""

    every: int
    repeat: int
    freq: int
    start: int = 0

    @staticmethod
    def read(words: list[str], user: str) -> Schedule:
        """NEVERY NREPEAT NFREQ."""
        every, repeat, freq = (integer(word, "a number of steps") for word in words)
        if min(every, repeat, freq) < 1 or freq % every or repeat * every > freq:
            raise InputError(f"{user}: {every} {repeat} {freq} are no samples that end at multiples of {freq}",
                             "NFREQ must be a multiple of NEVERY, and NREPEAT x NEVERY not above it")
        return Schedule(every, repeat, freq)

    @property
    def interval(self) -> int:
        """All samples are at multiples of it."""
        return self.freq if self.repeat == 1 else self.every

    def next(self, step: int) -> int:
        """The first sample of the next whole window; with one sample in a window the present step counts."""
        last = step // self.freq * self.freq + self.freq
        last += max(0, -((last - self.start) // self.freq)) * self.freq
        if self.repeat == 1 and last - self.freq == step:
            return step
        first = last - (self.repeat - 1) * self.every
        return first if first >= step else first + self.freq

    def after(self, step: int, taken: int) -> int:
        """The sample after the one at `step`, the number `taken` of its window."""
        return step + (self.freq - (self.repeat - 1) * self.every if taken == self.repeat else self.every)


@dataclass
class Means:
    """What is made of the mean of each window: itself (one), the mean of all (running) or of the last `size` (window)."""

    way: str = "one"
    size: int = 0
    total: np.ndarray = field(default_factory=lambda: np.zeros(0))
    count: int = 0
    kept: list[np.ndarray] = field(default_factory=list)

    @staticmethod
    def read(words: list[str]) -> Means:
        """one, running or window M; takes what it uses from the front of the list."""
        way = words.pop(0) if words else ""
        if way not in ("one", "running", "window"):
            raise unknown("way to average", way, ("one", "running", "window"))
        size = integer(words.pop(0) if words else "", "a number of windows") if way == "window" else 0
        if way == "window" and size < 1:
            raise InputError(f"ave window {size}", "give 1 or more")
        return Means(way, size)

    def add(self, values: np.ndarray, last: np.ndarray) -> None:
        """The mean of one more window; where `last` is true values are not averaged."""
        if self.way == "one" or not self.count:
            self.total, self.count = values.copy(), 1
        else:
            self.total, self.count = self.total + values, self.count + 1
        if self.way == "window":
            self.kept.append(values.copy())
            if self.count > self.size:
                self.total, self.count = self.total - self.kept.pop(0), self.size
        self.total[..., last] = self.count * values[..., last]

    def now(self) -> np.ndarray:
        return self.total / self.count

    def state(self) -> dict[str, Any]:
        return {"total": self.total.tolist(), "count": self.count, "kept": [values.tolist() for values in self.kept]}

    def restore(self, state: dict[str, Any]) -> None:
        self.total, self.count, self.kept = np.array(state["total"]), state["count"], list(map(np.array, state["kept"]))

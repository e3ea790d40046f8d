"""What fixes that average in time have in common: when they take samples, what they make of the means, keywords, and files.

    schedule = Schedule(every=2, repeat=3, freq=100)     # samples at 96 98 100, 196 198 200, ...
    schedule.next(0)                                     # 96
    mean = Means("window", 4)                            # the mean over the last four windows
    mean.add(values)

ave/time, ave/correlate, ave/histo and ave/chunk share the keywords

    ave one|running|window M    start STEP    file FILE    append FILE    overwrite    format %g    title1|title2|title3 TEXT
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, one_of
from everlet.fixes.averages.file import AverageFile
from everlet.fixes.base import Fix
from everlet.io.files import agreed
from everlet.io.formats import check_format
from everlet.state.system import System

TITLES = ("title1", "title2", "title3")
Keyword = Callable[[str], None]
OUTPUT = {"file": 1, "append": 1, "overwrite": 0, "format": 1, **dict.fromkeys(TITLES, 1)}  # and the words after each
SHARED = ("ave", "start", *OUTPUT)


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


class AverageWords:
    """What was asked for. `own` are keywords of the style itself, each with a function that takes its value; `without` are
    shared ones that it does not have; `ways`: what may follow ave."""

    def __init__(self, style: str, id: str, usage: str, own: dict[str, Keyword], without: Iterable[str] = (),
                 ways: tuple[str, ...] = ("one", "running", "window")):
        self.style, self.user, self.usage, self.own, self.ways = style, f"fix {id}", usage, own, ways
        self.known = (*own, *(word for word in SHARED if word not in without))
        self.ave, self.window, self.start = "one", 0, 0
        self.path, self.append, self.overwrite, self.form = "", False, False, " %g"
        self.titles: dict[str, str] = {}

    def read(self, words: list[str]) -> list[str]:
        """Take keywords, which end the list; gives the words before them."""
        first = next((k for k, word in enumerate(words) if word in self.known), len(words))
        rest = list(words[first:])
        while rest:
            word = rest.pop(0)
            one_of(f"keyword of fix {self.style}", word, self.known)
            if word == "overwrite":
                self.overwrite = True
                continue
            arguments(rest[:1], 1, 1, self.usage)
            given = rest.pop(0)
            if word in self.own:
                self.own[word](given)
            elif word == "ave":
                self._way(given, rest)
            elif word == "start":
                self.start = integer(given, "a step")
            elif word == "format":
                self.form = check_format(given, "float")
            elif word in TITLES:
                self.titles[word] = given
            else:
                self.path, self.append = given, word == "append"
        if self.overwrite and self.ave != "running":
            raise InputError(f"{self.user}: overwrite is for ave running", "leave it out, or add ave running")
        return words[:first]

    def _way(self, given: str, rest: list[str]) -> None:
        self.ave = one_of("way to average", given, self.ways)
        self.window = integer(rest.pop(0) if rest else "", "a number of windows") if given == "window" else 0
        if given == "window" and self.window < 1:
            raise InputError(f"{self.user}: ave window {self.window}", "give 1 or more")

    def choice(self, word: str, given: str, known: Collection[str]) -> str:
        """A value that must be one of a few."""
        return one_of(f"{word} of fix {self.style}", given, known)

    def open(self, system: System, titles: list[str], columns: Iterable[str] = ()) -> AverageFile | None:
        """The file, if there is one, with its titles or those of the script; columns: names in YAML files."""
        if not self.path:
            return None
        shown = [self.titles.get(key, text) for key, text in zip(TITLES, titles, strict=False)]
        with agreed(system.world):
            return AverageFile(self.user, self.path, shown, list(columns), self.append, self.overwrite, self.form)


class Sampling(Fix):
    """A fix that takes samples at steps of its schedule. Styles say what of (`asked`), take one (`sample`), and make what they
    show of a whole window (`complete`)."""

    follows_steps = True
    schedule: Schedule
    file: AverageFile | None = None
    next = taken = 0  # the step of the next sample, and those of this window

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.user = f"fix {id}"

    def asked(self, step: int) -> Iterable[str]:
        """What must be known at a step with a sample."""
        raise NotImplementedError

    def sample(self) -> None:
        """One more; `taken` are there already."""
        raise NotImplementedError

    def complete(self, step: int) -> None:
        """So many as a window has were taken."""
        raise NotImplementedError

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(self.asked(step)) if step == self.next else ()

    def anew(self) -> None:
        """With a new window, at the first step that can be."""
        self.taken, self.next = 0, self.schedule.next(self.system.step)

    def init(self) -> None:
        if self.next < self.system.step:  # steps were left out: by a minimisation, or between frames of rerun
            self.anew()

    def setup(self) -> None:
        self.end_of_step()

    def end_of_step(self) -> None:
        step = self.system.step
        if step != self.next:
            return
        self.sample()
        self.taken += 1
        self.next = self.schedule.after(step, self.taken)
        if self.taken == self.schedule.repeat:
            self.complete(step)
            self.taken = 0

    def write(self, text: str) -> None:
        """To the file, if there is one; all ranks know if that has failed."""
        if self.file is not None:
            with agreed(self.system.world):
                self.file.text(text)

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
        self.file = None

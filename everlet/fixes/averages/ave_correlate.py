"""Correlations in time of numbers of computes, fixes and variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from everlet.computes.words.references import Global, needs, written_out
from everlet.errors import InputError, arguments, number
from everlet.fixes.averages.ave_time import one_number
from everlet.fixes.averages.base import OUTPUT, AverageWords, Sampling, Schedule
from everlet.fixes.averages.file import AverageFile
from everlet.fixes.base import fix_style
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group ave/correlate NEVERY NREPEAT NFREQ VALUE … [keyword …]"
PAIRS: dict[str, Callable[[int, int], bool]] = {
    "auto": lambda i, j: i == j, "upper": lambda i, j: i < j, "lower": lambda i, j: i > j, "auto/upper": lambda i, j: i <= j,
    "auto/lower": lambda i, j: i >= j, "full": lambda i, j: True, "first": lambda i, j: i == 0}


def values_in_pairs(system: System, words: AverageWords, named: list[str],
                    kind: str) -> tuple[list[Global], list[tuple[int, int]]]:
    """The values that a fix names, and those of their pairs that are of this kind."""
    values = [one_number(system, word, words.user, words.style, words.known)
              for word in written_out(system, named, False, words.user)]
    count = range(len(values))
    pairs = [(i, j) for i in count for j in count if PAIRS[kind](i, j)]
    if not pairs:
        raise InputError(f"{words.user}: type {kind} of {len(values)} value has no pairs", "name more values")
    return values, pairs


@fix_style("ave/correlate")
class AveCorrelate(Sampling):
    """fix ID group ave/correlate NEVERY NREPEAT NFREQ VALUE … [type auto|upper|lower|auto/upper|auto/lower|full|first]
    [ave one|running] [start N] [prefactor A] [file|append FILE] [overwrite] [title1|title2|title3 TEXT]

    C_ij(k NEVERY) = A <v_i(t) v_j(t + k NEVERY)>, k below NREPEAT, over all samples since the last output (one) or since
    the first (running). f_ID[k][1]: the time apart in steps, f_ID[k][2]: how many products, then the pairs of values.
    """

    gives = Gives(array=INTENSIVE)
    free_words = OUTPUT
    keeps = ("next", "last", "counts", "sums", "shown")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        given = Schedule.read(args[:3], self.user)
        self.every, self.length, self.freq = given.every, given.repeat, given.freq
        self.kind, self.prefactor = "auto", 1.0
        self.words = AverageWords("ave/correlate", id, USAGE, {"type": self._type, "prefactor": self._prefactor},
                                  without=("format",), ways=("one", "running"))
        named = self.words.read(args[3:])
        self.running, self.start = self.words.ave == "running", self.words.start
        self.values, self.pairs = values_in_pairs(system, self.words, named, self.kind)
        self.anew()
        self.counts, self.sums = np.zeros(self.length), np.zeros((self.length, len(self.pairs)))
        self.shown = np.zeros((self.length, 2 + len(self.pairs)))
        self.shown[:, 0] = np.arange(self.length) * self.every
        self.file = self._open()

    # ---- arguments
    def _type(self, given: str) -> None:
        self.kind = self.words.choice("type", given, PAIRS)

    def _prefactor(self, given: str) -> None:
        self.prefactor = number(given, "a factor")

    def _open(self) -> AverageFile | None:
        names = [f"{self.values[i].word}*{self.values[j].word}" for i, j in self.pairs]
        return self.words.open(self.system, [f"# Time-correlated data for fix {self.id}", "# Timestep Number-of-time-windows",
                                             " ".join(["# Index TimeDelta Ncount", *names])])

    # ---- samples
    def asked(self, step: int) -> Iterable[str]:
        return (need for value in self.values for need in needs(self.system, value.source, step))

    def anew(self) -> None:
        self.next = max(-(-self.system.step // self.every) * self.every, self.start)
        self.last: list[list[float]] = []  # the newest samples, the oldest first

    def end_of_step(self) -> None:
        step = self.system.step
        if step != self.next:
            return
        self.next += self.every
        self.last = [*self.last, [value.value(self.system) for value in self.values]][-self.length:]
        self._accumulate()
        if step % self.freq == 0:
            self.complete(step)

    def _accumulate(self) -> None:
        """Products of the newest sample with itself and those before it."""
        now = self.last[-1]
        for apart, before in enumerate(reversed(self.last)):
            self.counts[apart] += 1.0
            self.sums[apart] += [before[i] * now[j] for i, j in self.pairs]

    def complete(self, step: int) -> None:
        self.shown[:, 1] = self.counts
        self.shown[:, 2:] = self.prefactor * self.sums / np.maximum(self.counts, 1.0)[:, None]
        if self.file is not None:
            text = f"{step} {self.length}\n"
            for k, row in enumerate(self.shown.tolist(), 1):
                text += f"{k} {int(row[0])} {int(row[1])}{''.join(f' {value:g}' for value in row[2:])}\n"
            self.write(text)
        if not self.running:  # it begins again with the last sample
            self.counts[:], self.sums[:], self.last = 0.0, 0.0, self.last[-1:]
            self._accumulate()

    # ---- values
    def array(self) -> np.ndarray:
        return self.shown

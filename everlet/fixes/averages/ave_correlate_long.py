"""Correlations over long times, at times that grow as powers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from everlet.computes.words.references import needs
from everlet.errors import InputError, arguments, integer
from everlet.fixes.averages.ave_correlate import PAIRS, values_in_pairs
from everlet.fixes.averages.base import OUTPUT, AverageWords, Keyword, Sampling
from everlet.fixes.averages.file import AverageFile
from everlet.fixes.base import fix_style
from everlet.state.system import System

USAGE = "fix ID group ave/correlate/long NEVERY NFREQ VALUE … [keyword …]"


@fix_style("ave/correlate/long")
class AveCorrelateLong(Sampling):
    """fix ID group ave/correlate/long NEVERY NFREQ VALUE … [type auto|upper|lower|auto/upper|auto/lower|full|first] [start N]
    [ncorr L] [nlen P] [ncount M] [file|append FILE] [overwrite] [title1|title2 TEXT]

    Multiple-tau correlators (Ramirez et al., J. Chem. Phys. 133, 154103 (2010)): level l below L (20) has means of M^l samples,
    the last P (16) of them, and adds up products at k M^l NEVERY steps apart, k below P, above level 0 from P/M on (M: 2). At
    multiples of NFREQ a file gets times and <v_i(t) v_j(t + time)> of the pairs; nothing else has them.
    """

    free_words = OUTPUT
    keeps = ("next", "sums", "counts", "means", "filled", "added", "held")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, None, USAGE)
        self.every, self.freq = (integer(word, "a number of steps") for word in args[:2])
        if self.every < 1 or self.freq < 1 or self.freq % self.every:
            raise InputError(f"{self.user}: samples every {args[0]} steps and outputs every {args[1]}",
                             "give numbers above zero, NFREQ a multiple of NEVERY")
        self.kind, self.ncorr, self.nlen, self.ncount = "auto", 20, 16, 2
        own = {word: self._number(word) for word in ("ncorr", "nlen", "ncount")}
        self.words = AverageWords("ave/correlate/long", id, USAGE, {"type": self._type, **own},
                                  without=("format", "ave", "title3"))
        self.words.ave = "running"  # as the sums of this fix are
        named = self.words.read(args[2:])
        if self.ncorr < 1 or self.ncount < 2 or self.nlen < self.ncount or self.nlen % self.ncount:
            raise InputError(f"{self.user}: ncorr {self.ncorr}, nlen {self.nlen}, ncount {self.ncount}",
                             "ncount is 2 or more, nlen a multiple of it")
        self.values, self.pairs = values_in_pairs(system, self.words, named, self.kind)
        levels, length = self.ncorr, self.nlen
        self.sums, self.counts = np.zeros((levels, length, len(self.pairs))), np.zeros((levels, length))
        self.means = np.zeros((levels, length, len(self.values)))  # the newest first
        self.filled, self.added = np.zeros(levels, int), np.zeros(levels, int)  # so many of them; samples of the next mean
        self.held = np.zeros((levels, len(self.values)))  # their sum
        self.anew()
        self.file = self._open()

    # ---- arguments
    def _type(self, given: str) -> None:
        self.kind = self.words.choice("type", given, PAIRS)

    def _number(self, word: str) -> Keyword:
        return lambda given: setattr(self, word, integer(given, word))

    def _open(self) -> AverageFile | None:
        names = [f"{self.values[i].word}*{self.values[j].word}" for i, j in self.pairs]
        return self.words.open(self.system, [f"# Time-correlated data for fix {self.id}", " ".join(["# Time", *names])])

    # ---- samples
    def asked(self, step: int) -> Iterable[str]:
        return (need for value in self.values for need in needs(self.system, value.source, step))

    def anew(self) -> None:
        self.next = -(-max(self.system.step, self.words.start) // self.every) * self.every

    def end_of_step(self) -> None:
        step = self.system.step
        if step != self.next:
            return
        self.next += self.every
        self._add(0, np.array([value.value(self.system) for value in self.values]))
        if step % self.freq == 0:
            self.complete(step)

    def _add(self, level: int, sample: np.ndarray) -> None:
        """A sample of a level, and the mean of so many of the next one."""
        if level == self.ncorr:
            return
        means = self.means[level]
        means[1:] = means[:-1].copy()
        means[0] = sample
        self.filled[level] = min(self.filled[level] + 1, self.nlen)
        lags = slice(self.nlen // self.ncount if level else 0, int(self.filled[level]))
        first, second = [i for i, _ in self.pairs], [j for _, j in self.pairs]
        self.sums[level, lags] += means[lags][:, first] * sample[second]
        self.counts[level, lags] += 1.0
        self.held[level] += sample
        self.added[level] += 1
        if self.added[level] == self.ncount:
            self._add(level + 1, self.held[level] / self.ncount)
            self.held[level], self.added[level] = 0.0, 0

    def complete(self, step: int) -> None:
        text, unit = f"# Timestep: {step}\n", self.every * self.system.dt
        for level in range(self.ncorr):
            for lag in np.flatnonzero(self.counts[level]).tolist():
                row = (self.sums[level, lag] / self.counts[level, lag]).tolist()
                text += f"{lag * self.ncount**level * unit:g} {''.join(f'{value:g} ' for value in row)}\n"
        self.write(text)

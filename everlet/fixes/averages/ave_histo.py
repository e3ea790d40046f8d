"""Histograms of values, averaged in time."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from everlet.computes.words.peratom import COLUMNS, Reference, owned
from everlet.computes.words.references import needs, operation, variables, written_out
from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.averages.base import OUTPUT, AverageWords, Keyword, Sampling, Schedule
from everlet.fixes.averages.file import AverageFile
from everlet.fixes.base import fix_style
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System
from everlet.state.text import shortest

USAGE = "fix ID group ave/histo NEVERY NREPEAT NFREQ LO HI NBIN VALUE … [keyword …]"
CHOICES = {"mode": ("scalar", "vector"), "kind": ("global", "peratom", "local"), "beyond": ("ignore", "end", "extra")}
EMPTY = [0.0, 0.0, np.inf, -np.inf]  # counted, missing, least and largest value


@fix_style("ave/histo")
class AveHisto(Sampling):
    """fix ID group ave/histo NEVERY NREPEAT NFREQ LO HI NBIN VALUE … [mode scalar|vector] [kind global|peratom|local] [beyond
    ignore|end|extra] [ave one|running|window M] [start N] [file|append FILE] [overwrite] [title1|title2|title3 TEXT]

    VALUE: x y z vx … fz, c_ID, c_ID[i], f_ID, f_ID[i], v_NAME; global, of atoms of the group, or local, all of one kind.
    f_ID[1-4]: values that were counted, those that were not, the least, the largest; f_ID[i][j]: middle of bin i, its count,
    its share.
    """

    gives = Gives(vector=INTENSIVE, length=4, array=INTENSIVE)
    free_words = OUTPUT
    weighted = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 7, None, USAGE)
        self.schedule = Schedule.read(args[:3], self.user)
        self.low, self.high = number(args[3], "a lower bound"), number(args[4], "an upper bound")
        self.inner = self.bins = integer(args[5], "a number of bins")
        if self.low >= self.high or self.bins < 1:
            raise InputError(f"{self.user}: {args[5]} bins from {args[3]} to {args[4]}", "give LO < HI and 1 bin or more")
        self.vectors, self.kind, self.beyond = False, "", "ignore"
        own: dict[str, Keyword] = {word: partial(self._choose, word) for word in CHOICES}
        self.words = AverageWords("ave/histo", id, USAGE, own, without=("format",))
        named = self.words.read(args[6:])
        self.schedule.start, self.ave, self.window = self.words.start, self.words.ave, self.words.window
        self.values = [self._value(word) for word in written_out(system, named, self.vectors, self.user)]
        self._agree()
        if self.weighted and len(self.values) != 2:
            raise InputError(f"{self.user}: {len(self.values)} values", "give a value and its weight")
        self.bins += 2 if self.beyond == "extra" else 0
        self.every = self.schedule.interval
        self.anew()
        self.counts, self.stats = np.zeros(self.bins), np.array(EMPTY)
        self.done: list[tuple[np.ndarray, np.ndarray]] = []  # of the last windows
        self.shown, self.shown_stats = np.zeros(self.bins), np.zeros(4)
        self.file = self._open()

    # ---- arguments
    def _choose(self, word: str, given: str) -> None:
        self.words.choice(word, given, CHOICES[word])
        if word == "mode":
            self.vectors = given == "vector"
        else:
            setattr(self, word, given)

    def _value(self, word: str) -> str | Reference:
        if word in COLUMNS:
            return word
        letter, name, place = word[:1], word[2:].partition("[")[0], word[2:].partition("[")[2].rstrip("]")
        if word[1:2] != "_" or letter not in "cfv" or place and not place.isdecimal():
            raise unknown("value or keyword of fix ave/histo", word, [*COLUMNS, *self.words.known], f"usage: {USAGE}")
        if letter != "v":
            operation(self.system, letter, name)
        return Reference(letter, name, int(place or 0), self.user)

    def _kinds(self, value: str | Reference) -> list[str]:
        """What a value can be."""
        if isinstance(value, str):
            return ["peratom"]
        if value.kind == "v":
            return ["peratom" if variables(self.system, value.name).style(value.name) == "atom" else "global"]
        gives = operation(self.system, value.kind, value.name).gives
        whole = {(False, 0): gives.scalar, (False, 1): gives.vector, (True, 0): gives.vector, (True, 1): gives.array}
        found = ["global"] if whole[self.vectors, int(value.place > 0)] else []
        return found + ["peratom"] * (gives.columns is not None) + ["local"] * (gives.local is not None)

    def _agree(self) -> None:
        """All values are of one kind."""
        kinds = [self._kinds(value) for value in self.values]
        common = [kind for kind in ("global", "peratom", "local") if all(kind in some for some in kinds)]
        if not common or self.kind and self.kind not in common:
            raise InputError(f"{self.user}: values are not all {self.kind or 'global, of atoms or local'}", "use several fixes")
        self.kind = self.kind or common[0]
        if self.kind != "global" and not self.vectors:
            raise InputError(f"{self.user}: values of atoms and local ones are many", "add mode vector")

    def _open(self) -> AverageFile | None:
        return self.words.open(self.system, [f"# Histogrammed data for fix {self.id}",
                                             "# TimeStep Number-of-bins Total-counts Missing-counts Min-value Max-value",
                                             "# Bin Coord Count Count/Total"])

    # ---- samples
    def asked(self, step: int) -> Iterable[str]:
        named = (value.source for value in self.values if isinstance(value, Reference))
        return (need for word in named for need in needs(self.system, word, step))

    def sample(self) -> None:
        if self.taken == 0:
            self.counts, self.stats = np.zeros(self.bins), np.array(EMPTY)
        numbers = [self._numbers(value) for value in self.values]
        if self.weighted:
            if len(numbers[0]) != len(numbers[1]):
                raise InputError(f"{self.user}: {len(numbers[0])} values and {len(numbers[1])} weights", "give as many of both")
            self._count(*numbers)
        else:
            everything = np.concatenate(numbers)
            self._count(everything, np.ones(len(everything)))

    def _numbers(self, value: str | Reference) -> np.ndarray:
        """Of a value now: those of this rank, or of all if they are global."""
        system = self.system
        if isinstance(value, str):
            name, place = COLUMNS[value]
            return self._of_group(system.atoms.read(name)[:, place])
        if value.kind == "v":
            known = variables(system, value.name)
            if self.kind == "global" and known.style(value.name) == "vector":
                numbers = np.asarray(known.vector(value.name))
                return numbers if self.vectors else numbers[[value.place - 1]]
            if self.kind == "global":
                return np.array([known.evaluate(value.name)])
            return self._of_group(owned(system, np.asarray(known.peratom(value.name))))
        item = operation(system, value.kind, value.name)
        if self.kind == "peratom":
            return self._of_group(value.column(np.asarray(item.now("peratom"))))
        if self.kind == "local":
            table = np.asarray(item.now("local"))
            return np.asarray(table[:, max(value.place, 1) - 1] if table.ndim == 2 else table)
        if not self.vectors:
            return np.array([item.now("vector")[value.place - 1] if value.place else item.now("scalar")])
        return np.asarray(item.now("array")[:, value.place - 1] if value.place else item.now("vector"))

    def _of_group(self, values: np.ndarray) -> np.ndarray:
        return values[(self.system.atoms.read("mask") & self.bit) != 0]

    def _count(self, values: np.ndarray, weights: np.ndarray) -> None:
        """Put values into bins."""
        place = np.minimum(np.floor((values - self.low) * (self.inner / (self.high - self.low))), self.inner - 1)
        under, over = values < self.low, values > self.high
        place = np.where(under, 0, np.where(over, self.bins - 1, place + (self.beyond == "extra"))).astype(np.int64)
        counted = ~(under | over) | (self.beyond != "ignore")
        counts = np.bincount(place[counted], weights[counted], self.bins)
        sums = np.array([weights[counted].sum(), weights[~counted].sum()])
        ends = np.array([-values.min(initial=np.inf), values.max(initial=-np.inf)])
        if self.kind != "global":
            found = self.system.ranks.sum(np.concatenate([counts, sums]))
            counts, sums, ends = found[:-2], found[-2:], self.system.ranks.max(ends)
        self.counts += counts
        self.stats = np.array([*(self.stats[:2] + sums), min(self.stats[2], -ends[0]), max(self.stats[3], ends[1])])

    def complete(self, step: int) -> None:
        now = (self.counts.copy(), self.stats.copy())
        if self.ave == "running":  # as in the reference, the least is 0 or below, the largest 0 or above
            self.done = [_joined([*(self.done or [(np.zeros(self.bins), np.zeros(4))]), now])]
        else:
            self.done = [*(self.done if self.ave == "window" else []), now][-max(self.window, 1):]
        self.shown, self.shown_stats = _joined(self.done)
        if self.file is not None:
            text = f"{step} {self.bins} {' '.join(map(shortest, self.shown_stats.tolist()))}\n"
            self.write(text + "".join(f"{k} {a:g} {b:g} {c:g}\n" for k, (a, b, c) in enumerate(self.array().tolist(), 1)))

    # ---- values
    def vector(self) -> np.ndarray:
        return self.shown_stats

    def array(self) -> np.ndarray:
        middles = self.low + (np.arange(self.inner) + 0.5) * (self.high - self.low) / self.inner
        if self.beyond == "extra":
            middles = np.array([self.low, *middles, self.high])
        total = self.shown_stats[0]
        return np.stack([middles, self.shown, self.shown / total if total else np.zeros(self.bins)], axis=1)

    def state(self) -> dict[str, Any]:
        return {"next": self.next, "taken": self.taken, "now": [self.counts.tolist(), _finite(self.stats)],
                "kept": [[counts.tolist(), _finite(stats)] for counts, stats in self.done]}

    def restore(self, state: dict[str, Any]) -> None:
        self.next, self.taken = state["next"], state["taken"]
        self.counts, self.stats = np.array(state["now"][0]), _read(state["now"][1])
        self.done = [(np.array(counts), _read(stats)) for counts, stats in state["kept"]]
        if self.done:
            self.shown, self.shown_stats = _joined(self.done)


def _joined(windows: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Several windows as one."""
    counts, stats = sum(one for one, _ in windows), np.array([one for _, one in windows])
    return np.asarray(counts), np.array([*stats[:, :2].sum(axis=0), stats[:, 2].min(), stats[:, 3].max()])


def _finite(stats: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in stats]


def _read(stats: list[float | None]) -> np.ndarray:
    return np.array([empty if value is None else value for value, empty in zip(stats, EMPTY, strict=True)])


@fix_style("ave/histo/weight")
class AveHistoWeight(AveHisto):
    """fix ID group ave/histo/weight NEVERY NREPEAT NFREQ LO HI NBIN VALUE WEIGHT …: each value counts as much as its weight."""

    weighted = True

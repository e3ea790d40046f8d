"""Moments of the distributions of numbers in time."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from everlet.computes.words.references import needs, written_out
from everlet.errors import InputError, arguments, integer, one_of
from everlet.fixes.averages.ave_time import one_number
from everlet.fixes.averages.base import Sampling
from everlet.fixes.base import fix_style
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group ave/moments NEVERY NREPEAT NFREQ c_ID|c_ID[i]|f_ID|f_ID[i]|v_NAME … MOMENT … [start N] [history N]"


def central(x: np.ndarray, power: int) -> np.ndarray:
    """Means of powers of distances from the mean, of each column."""
    return np.asarray(((x - x.mean(axis=0)) ** power).mean(axis=0))


def variance(x: np.ndarray) -> np.ndarray:
    n = len(x)
    return central(x, 2) * n / (n - 1) if n > 1 else np.zeros(x.shape[1])


def ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """0 where all samples are the same."""
    return np.where(below > 0.0, above / np.where(below > 0.0, below, 1.0), 0.0)


def skew(x: np.ndarray) -> np.ndarray:
    """k3 / k2^(3/2) of the unbiased cumulants."""
    n = len(x)
    if n < 3:
        return np.zeros(x.shape[1])
    return ratio(central(x, 3), central(x, 2) ** 1.5) * np.sqrt(n * (n - 1)) / (n - 2)


def kurtosis(x: np.ndarray) -> np.ndarray:
    """k4 / k2^2 of the unbiased cumulants."""
    n = len(x)
    if n < 4:
        return np.zeros(x.shape[1])
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (ratio(central(x, 4), central(x, 2) ** 2) - 3.0) + 6.0)


MOMENTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda x: np.asarray(x.mean(axis=0)), "stddev": lambda x: np.sqrt(variance(x)), "variance": variance, "skew": skew,
    "kurtosis": kurtosis}


@fix_style("ave/moments")
class AveMoments(Sampling):
    """fix ID group ave/moments NEVERY NREPEAT NFREQ VALUE … mean|stddev|variance|skew|kurtosis … [start N] [history N]

    Of the last NREPEAT samples, NEVERY steps apart, at multiples of NFREQ; windows may overlap. Estimates are without bias:
    with n samples and their central moment m2 the variance is n m2 / (n - 1), skew is k3 / k2^(3/2), kurtosis k4 / k2^2 of
    the cumulants k. f_ID[k]: all moments of the first value, then those of the next; f_ID[k][j]: those of j - 1 outputs before.
    """

    keeps = ("next", "samples", "shown")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, None, USAGE)
        self.interval, self.repeat, self.freq = (integer(word, "a number of steps") for word in args[:3])
        if min(self.interval, self.repeat, self.freq) < 1 or self.freq % self.interval:
            raise InputError(f"{self.user}: samples every {args[0]} steps, of which {args[1]} count at multiples of {args[2]}",
                             "give numbers above zero, NFREQ a multiple of NEVERY")
        words = list(args[3:])
        first = next((k for k, word in enumerate(words) if word in MOMENTS), len(words))
        named, rest = words[:first], words[first:]
        self.moments: list[str] = []
        while rest and rest[0] in MOMENTS:
            self.moments.append(rest.pop(0))
        self.start, self.history = 0, 1
        while rest:
            word = one_of("moment or keyword of fix ave/moments", rest.pop(0), ("start", "history"), f"usage: {USAGE}")
            arguments(rest[:1], 1, 1, USAGE)
            value = integer(rest.pop(0), "a number")
            if word == "history" and value < 1:
                raise InputError(f"{self.user}: history {value}", "give 1 or more")
            setattr(self, word, value)
        self.values = [one_number(system, word, self.user, "ave/moments", MOMENTS) for word in
                       written_out(system, named, False, self.user)]
        if not self.values or not self.moments:
            raise InputError(f"{self.user}: ave/moments has no {'moment' if self.values else 'value'}", f"usage: {USAGE}")
        each = tuple(EXTENSIVE if value.extensive(system) else INTENSIVE for value in self.values for _ in self.moments)
        self.gives = Gives(vector=INTENSIVE, array=INTENSIVE, length=len(each), width=self.history, each=each)
        self.every, self.samples = self.interval, list[list[float]]()
        self.shown = np.zeros((len(each), self.history))
        self.anew()

    def anew(self) -> None:
        self.next, self.samples = self._after(max(self.system.step, self.start - self.freq)), []

    def _after(self, step: int) -> int:
        """The first sample behind a step: not too far before a multiple of NFREQ."""
        end = max(step // self.freq + 1, -(-self.start // self.freq)) * self.freq
        first = end - (self.repeat - 1) * self.interval
        return max(first, (step // self.interval + 1) * self.interval)

    def asked(self, step: int) -> Iterable[str]:
        return (need for value in self.values for need in needs(self.system, value.source, step))

    def end_of_step(self) -> None:
        step = self.system.step
        if step != self.next:
            return
        self.samples = [*self.samples, [value.value(self.system) for value in self.values]][-self.repeat :]
        self.next = self._after(step)
        if step % self.freq == 0 and step >= self.start:
            found = np.array([MOMENTS[name](np.array(self.samples)) for name in self.moments])  # (moments, values)
            self.shown = np.concatenate([found.T.reshape(-1, 1), self.shown[:, :-1]], axis=1)

    def vector(self) -> np.ndarray:
        return self.shown[:, 0]

    def array(self) -> np.ndarray:
        return self.shown

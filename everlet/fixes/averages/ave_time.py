"""Averages in time of numbers, or of vectors, of computes, fixes and variables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from everlet.computes.words.references import Global, global_word, needs, written_out
from everlet.errors import InputError, arguments, integer, unknown
from everlet.fixes.averages.base import OUTPUT, AverageWords, Means, Sampling, Schedule
from everlet.fixes.averages.file import AverageFile
from everlet.fixes.base import fix_style
from everlet.io.files import agreed
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group ave/time NEVERY NREPEAT NFREQ c_ID|c_ID[i]|f_ID|f_ID[i]|v_NAME … [keyword …]"
OF_VARIABLES = Gives(vector=INTENSIVE)


def one_number(system: System, word: str, user: str, style: str, known: Iterable[str]) -> Global:
    """A value that is one number; known: other words that may stand there."""
    found = global_word(word)
    if found is None:
        raise unknown(f"value or keyword of fix {style}", word, list(known), "values are c_ID, f_ID and v_NAME")
    found.check(system)
    if found.letter != "v":
        gives = found.item(system).gives
        if len(found.places) > 1 or not (gives.vector if found.places else gives.scalar):
            raise InputError(f"{user}: '{word}' is no number", gives.hint(found.source))
    return found


@fix_style("ave/time")
class AveTime(Sampling):
    """fix ID group ave/time NEVERY NREPEAT NFREQ VALUE … [mode scalar|vector] [ave one|running|window M] [start N] [off K] …
    [file FILE | append FILE] [overwrite] [format %g] [title1 TEXT] [title2 TEXT] [title3 TEXT]

    f_ID: the last average of one value; f_ID[i]: of several, or of a vector; f_ID[i][j]: element i of vector j.
    """

    free_words = OUTPUT
    keeps = ("next", "taken", "sums")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.schedule = Schedule.read(args[:3], self.user)
        self.vectors, self.off = False, list[int]()
        self.words = AverageWords("ave/time", id, USAGE, {"mode": self._mode, "off": self._off})
        named = self.words.read(args[3:])
        self.schedule.start, self.means = self.words.start, Means(self.words.ave, self.words.window)
        self.values = [self._value(word) for word in written_out(system, named, self.vectors, self.user)]
        if not self.values:
            raise InputError(f"{self.user}: ave/time has no value", f"usage: {USAGE}")
        if any(not 1 <= place <= len(self.values) for place in self.off):
            raise InputError(f"{self.user}: off {max(self.off)}, and there are {len(self.values)} values", "use one of these")
        self.last = np.array([k + 1 in self.off for k in range(len(self.values))])
        self.gives = self._kinds()
        self.every, self.sums = self.schedule.interval, np.zeros(0)
        self.anew()
        self.file = self._open()

    # ---- arguments
    def _mode(self, given: str) -> None:
        self.vectors = self.words.choice("mode", given, ("scalar", "vector")) == "vector"

    def _off(self, given: str) -> None:
        self.off.append(integer(given, "the number of a value"))

    def _value(self, word: str) -> Global:
        found = global_word(word)
        if found is None:
            raise unknown("value or keyword of fix ave/time", word, self.words.known, "values are c_ID, f_ID and v_NAME")
        found.check(self.system)
        if len(found.places) > 1:
            raise InputError(f"{self.user}: '{word}' has two indices", "use mode vector and one index for a column of a table")
        if found.letter == "v" and self.vectors and found.places:
            raise InputError(f"{self.user}: mode vector of {word}: it is one number", f"use {found.source}, of vector style")
        variables = self.system.variables
        if found.letter == "v" and self.vectors and found.name in variables and variables.style(found.name) != "vector":
            raise InputError(f"{self.user}: mode vector of {word}, which is of style {variables.style(found.name)}",
                             "use a variable of vector style")
        if found.letter != "v":
            gives = found.item(self.system).gives
            kinds = (gives.vector, gives.array) if self.vectors else (gives.scalar, gives.vector)
            if not kinds[len(found.places)]:
                raise InputError(f"{self.user}: '{word}' is no {'vector' if self.vectors else 'number'}",
                                 gives.hint(found.source))
        return found

    def _kinds(self) -> Gives:
        if not self.vectors:
            each = tuple(EXTENSIVE if value.extensive(self.system) else INTENSIVE for value in self.values)
            return Gives(scalar=each[0]) if len(each) == 1 else Gives(vector=INTENSIVE, length=len(each), each=each)
        items = [(OF_VARIABLES if value.letter == "v" else value.item(self.system).gives, value.places)
                 for value in self.values]
        kinds = {gives.array if places else gives.vector for gives, places in items}
        if len(kinds) > 1:
            raise InputError(f"{self.user}: some vectors grow with the system and some do not", "use two fixes")
        return Gives(array=kinds.pop()) if len(items) > 1 else Gives(vector=kinds.pop())

    def _open(self) -> AverageFile | None:
        names = [value.word for value in self.values]
        what = "TimeStep Number-of-rows" if self.vectors else " ".join(["TimeStep", *names])
        titles = [f"# Time-averaged data for fix {self.id}", f"# {what}"]
        titles += [" ".join(["# Row", *names])] if self.vectors else []
        return self.words.open(self.system, titles, names if self.vectors else ["Step", *names])

    # ---- samples
    def asked(self, step: int) -> Iterable[str]:
        return (need for value in self.values for need in needs(self.system, value.source, step))

    def sample(self) -> None:
        now = self._sample()
        self.sums = np.where(self.last, now, self.sums + now) if self.taken else now

    def complete(self, step: int) -> None:
        self.means.add(np.where(self.last, self.sums, self.sums / self.taken), self.last)
        if self.file is None:
            return
        with agreed(self.system.world):
            (self.file.table if self.vectors else self.file.row)(step, self.means.now().tolist())

    def _sample(self) -> np.ndarray:
        """Numbers now, or vectors as columns. Of several values that name one compute it is evaluated once."""
        asked: dict[tuple[str, str], np.ndarray] = {}

        def ask(item: Any, form: str) -> np.ndarray:
            if (item.word, form) not in asked:
                asked[item.word, form] = np.array(item.now(form))
            return asked[item.word, form]

        if not self.vectors:
            return np.array([value.value(self.system, ask) for value in self.values])
        columns = []
        for value in self.values:
            if value.letter == "v":
                columns.append(np.array(self.system.variables.vector(value.name)))
                continue
            found = ask(value.item(self.system), "array" if value.places else "vector")
            if value.places and value.places[0] > found.shape[1]:
                raise InputError(f"{self.user}: '{value.word}' is out of range: there are {found.shape[1]} columns",
                                 "use a smaller index")
            columns.append(found[:, value.places[0] - 1] if value.places else found)
        if len({len(column) for column in columns}) > 1:
            raise InputError(f"{self.user}: vectors of {', '.join(str(len(column)) for column in columns)} numbers",
                             "average vectors of one length")
        return np.stack(columns, axis=1)

    # ---- values
    def _now(self) -> np.ndarray:
        if self.means.count:
            return self.means.now()
        return np.zeros_like(self._sample()) if self.vectors else np.zeros(len(self.values))

    def scalar(self) -> float:
        return float(self._now()[0])

    def vector(self) -> np.ndarray:
        return self._now()[:, 0] if self.vectors else self._now()

    def array(self) -> np.ndarray:
        return self._now()

    def state(self) -> dict[str, Any]:
        return super().state() | {"means": self.means.state()}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.means.restore(state["means"])

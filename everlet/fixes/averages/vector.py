"""Values that are kept step after step."""

from __future__ import annotations

import numpy as np

from everlet.computes.words.references import Global, global_word, needs
from everlet.errors import InputError, arguments, integer, unknown
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group vector N c_ID|c_ID[i]|f_ID|f_ID[i]|v_NAME … [nmax M]"


@fix_style("vector")
class Vector(Fix):
    """fix ID group vector N c_ID|c_ID[i]|f_ID|f_ID[i]|v_NAME … [nmax M]: values of every N steps, also of the first one.

    Of one value f_ID[i], of several f_ID[i][j]: sample i of value j. nmax: the last M of them.
    """

    follows_steps = True
    keeps = ("rows", "last")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        self.every, words = every_steps(args[0], "fix vector"), list(args[1:])
        self.most = 0
        if words[-2:-1] == ["nmax"]:
            self.most = integer(words[-1], "a number of samples")
            words = words[:-2]
            if self.most < 1:
                raise InputError(f"fix vector nmax {self.most}", "give 1 or more")
        self.values = [self._value(word) for word in words]
        if not self.values:
            raise InputError("fix vector has no value", f"usage: {USAGE}")
        kinds = {EXTENSIVE if value.extensive(system) else INTENSIVE for value in self.values}
        if len(kinds) > 1:
            raise InputError("fix vector: some values grow with the system and some do not", "use two fixes")
        kind = kinds.pop()
        self.gives = Gives(vector=kind) if len(self.values) == 1 else Gives(array=kind)
        self.rows: list[list[float]] = []
        self.last = -1

    def _value(self, word: str) -> Global:
        found = global_word(word)
        if found is None:
            raise unknown("value or keyword of fix vector", word, ("nmax",), "values are c_ID, f_ID and v_NAME")
        found.check(self.system)
        if len(found.places) > 1:
            raise InputError(f"fix vector: '{word}' has two indices", "use a number or an element of a vector")
        if found.letter != "v":
            gives = found.item(self.system).gives
            if not (gives.vector if found.places else gives.scalar):
                raise InputError(f"fix vector: '{word}' is no number", gives.hint(found.source))
        return found

    def needs(self, step: int) -> tuple[str, ...]:
        if step % self.every:
            return ()
        return tuple(need for value in self.values for need in needs(self.system, value.source, step))

    def setup(self) -> None:
        if self.system.step % self.every == 0:
            self.end_of_step()

    def end_of_step(self) -> None:
        if self.system.step == self.last:
            return
        self.last = self.system.step
        self.rows.append([value.value(self.system) for value in self.values])
        if self.most:
            self.rows = self.rows[-self.most:]

    def vector(self) -> np.ndarray:
        return np.array([row[0] for row in self.rows])

    def array(self) -> np.ndarray:
        return np.array(self.rows).reshape(-1, len(self.values))

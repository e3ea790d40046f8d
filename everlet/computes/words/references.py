"""Words that name numbers of computes, fixes and variables, for thermo output, fixes and computes.

    c_ID c_ID[i] c_ID[i][j]   f_ID f_ID[i] f_ID[i][j]   v_NAME v_NAME[i]

Values per atom are named by the same words: peratom.py. Whoever evaluates a word at a step asks `needs` before, so
that energy and virial are there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError, unknown
from everlet.state.operation import EXTENSIVE
from everlet.state.system import System

_WORD = re.compile(r"^([cfv])_(\w+)((?:\[\d+\])*)$")
_SEVERAL = re.compile(r"^([cfv])_(\w+)\[(\d*)\*(\d*)\]$")
Count = Callable[[str, str, str], int | None]
Ask = Callable[[Any, str], np.ndarray]  # an operation and a form (vector, array) -> its values


@dataclass(frozen=True)
class Global:
    """A word that stands for one number; `places` are its indices."""

    letter: str
    name: str
    places: tuple[int, ...]

    @property
    def source(self) -> str:
        return f"{self.letter}_{self.name}"

    @property
    def word(self) -> str:
        return self.source + "".join(f"[{place}]" for place in self.places)

    def item(self, system: System) -> Any:
        """The compute or fix."""
        return operation(system, self.letter, self.name)

    def check(self, system: System) -> None:
        """Refuse what does not exist now; variables may be defined later."""
        if self.letter == "v":
            if len(self.places) > 1:
                raise InputError(f"'{self.word}' has {len(self.places)} indices", "a variable of vector style has one")
            return
        gives = self.item(system).gives
        if len(self.places) > 2 or len(self.places) == 2 and not gives.array:
            raise InputError(f"'{self.word}' has {'two' if len(self.places) == 2 else 'too many'} indices, and {self.source} "
                             f"gives {'a' if gives.array else 'no'} table", gives.hint(self.source))

    def extensive(self, system: System) -> bool:
        """It grows with the system: `thermo_modify norm yes` divides it."""
        if self.letter == "v":
            return False
        gives = self.item(system).gives
        kinds = (gives.scalar, gives.kind_of(self.places[0]) if self.places else "", gives.array)
        return kinds[len(self.places)] == EXTENSIVE

    def value(self, system: System, ask: Ask | None = None) -> float:
        """The number now. `ask` may have kept the vector or table of another word."""
        if self.letter == "v":
            known = variables(system, self.name)
            return self._one_of(known.vector(self.name)) if self.places else float(known.evaluate(self.name))
        item = self.item(system)
        ask = ask or (lambda item, form: item.now(form))
        if not self.places:
            if not item.gives.scalar:
                raise InputError(f"'{self.source}' gives no single value", item.gives.hint(self.source))
            return float(item.now("scalar"))
        if len(self.places) == 1 and not item.gives.vector:
            raise InputError(f"'{self.source}' gives no vector", item.gives.hint(self.source))
        return self._one_of(ask(item, "vector" if len(self.places) == 1 else "array"))

    def _one_of(self, values: np.ndarray) -> float:
        """The number at `places`."""
        names = ("values",) if values.ndim == 1 else ("rows", "columns")
        for place, count, what in zip(self.places, values.shape, names, strict=True):
            if not 1 <= place <= count:
                raise InputError(f"'{self.word}' is out of range: it has {count} {what}", "use a smaller index")
        return float(values[tuple(place - 1 for place in self.places)])


def global_word(word: str) -> Global | None:
    """The c_, f_ or v_ word; None if it is another one."""
    match = _WORD.match(word)
    return Global(match[1], match[2], tuple(map(int, re.findall(r"\d+", match[3])))) if match else None


def written_out(system: System, words: list[str], vectors: bool, user: str) -> list[str]:
    """Words with those of several values, such as c_ID[*], f_ID[2*5] or v_NAME[*], one by one: elements of a vector, or with
    `vectors` columns of a table."""
    def count(kind: str, name: str, high: str) -> int:
        if kind == "v":
            return int(high or len(variables(system, name).vector(name))) if not vectors else 0
        item = operation(system, kind, name)
        gives = item.gives
        if vectors:
            return gives.columns or gives.local or gives.width or (item.array().shape[1] if gives.array else 0)
        return (gives.length or len(item.vector())) if gives.vector else 0

    return one_by_one(words, _SEVERAL, count, "columns" if vectors else "values", f"{user}: ")


def one_by_one(words: list[str], several: re.Pattern[str], count: Count, what: str, user: str = "") -> list[str]:
    """Words with those that `several` matches (kind, name, first and last index, which may be empty) one for each index. count:
    how many there are by kind, name and last index, or None if the word is another one after all."""
    found = []
    for word in words:
        match = several.match(word)
        many = count(match[1], match[2], match[4]) if match else None
        if match is None or many is None:
            found.append(word)
            continue
        first, last = int(match[3] or 1), int(match[4] or many)
        if not 1 <= first <= last <= many:
            raise InputError(f"{user}'{word}' is out of range: {match[1]}_{match[2]} has {many or 'no'} {what}",
                             "use indices that exist")
        found += [f"{match[1]}_{match[2]}[{k}]" for k in range(first, last + 1)]
    return found


def operation(system: System, letter: str, name: str) -> Any:
    """The compute (letter c) or fix of this name, or an error with the nearest names."""
    known = system.computes if letter == "c" else system.fixes
    if name not in known:
        raise unknown("compute" if letter == "c" else "fix", name, known)
    return known[name]


def variables(system: System, name: str) -> Any:
    """All variables; `name` is the one that is asked for."""
    if system.variables is None:
        raise InputError(f"there is no variable '{name}'", "define it with the variable command")
    return system.variables


def needs(system: System, word: str, step: int) -> tuple[str, ...]:
    """What forces must be computed with at a step for the values of this word to be there; unknown words need nothing."""
    letter, name = word[:2], re.split(r"[\[:]", word[2:])[0]
    if letter == "c_" and name in system.computes:
        return system.computes[name].needs(step)
    if letter == "v_" and system.variables is not None and name in system.variables:
        return system.variables.needs(name, step)
    return ()

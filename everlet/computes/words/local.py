"""Words that name local values, tables with a row for each bond, angle … of this rank: c_ID, c_ID[i], c_ID[*]."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from everlet.computes.words.references import needs, one_by_one
from everlet.errors import InputError
from everlet.state.system import System

_WORD = re.compile(r"^c_(\w+)(?:\[(\d+)\])?$")
_SEVERAL = re.compile(r"^(c)_(\w+)\[(\d*)\*(\d*)\]$")


@dataclass(frozen=True)
class LocalWord:
    """A column of the local values of a compute."""

    name: str
    place: int  # 0 without an index

    @property
    def source(self) -> str:
        return f"c_{self.name}"

    @property
    def word(self) -> str:
        return f"{self.source}[{self.place}]" if self.place else self.source

    def all_columns(self, system: System) -> np.ndarray:
        """The rows of this rank: (n,), or (n, columns)."""
        if self.name not in system.computes:
            raise InputError(f"compute {self.name} was removed while it is used", "remove what uses it first")
        return np.asarray(system.computes[self.name].local())

    def column(self, table: np.ndarray) -> np.ndarray:
        """The one that is meant out of `all_columns`."""
        return table[:, self.place - 1] if self.place else table

    def values(self, system: System) -> np.ndarray:
        return self.column(self.all_columns(system))

    def needs(self, system: System, step: int) -> tuple[str, ...]:
        return needs(system, self.source, step)


def local_word(system: System, word: str) -> LocalWord | None:
    """The word of a compute with local values; None if it is another one."""
    match = _WORD.match(word)
    if not match or match[1] not in system.computes or system.computes[match[1]].gives.local is None:
        return None
    columns, found = system.computes[match[1]].gives.local or 0, LocalWord(match[1], int(match[2] or 0))
    if bool(columns) != bool(match[2]) or columns and not 1 <= found.place <= columns:
        raise InputError(f"'{word}': compute {match[1]} has {columns or 1} of local values in a row",
                         "give an index that exists" if columns else "leave out the index")
    return found


def local_spelled_out(system: System, words: list[str]) -> list[str]:
    """Words with those of several columns written one by one."""
    def count(kind: str, name: str, high: str) -> int | None:
        compute = system.computes.get(name)
        return (compute.gives.local or None) if compute is not None else None

    return one_by_one(words, _SEVERAL, count, "columns")

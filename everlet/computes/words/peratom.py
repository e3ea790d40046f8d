"""Words that name values per atom, and the values of this rank's atoms.

    x y z vx vy vz fx fy fz       positions, velocities, forces
    c_ID c_ID[i] f_ID f_ID[i]     per-atom computes and fixes, c_ID[*] c_ID[2*] c_ID[*5] c_ID[2*5] several columns of one
    v_NAME                        atom-style variables
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from everlet.computes.words.references import needs, one_by_one, operation, variables
from everlet.errors import InputError
from everlet.state.system import System

COLUMNS = {"x": ("x", 0), "y": ("x", 1), "z": ("x", 2), "vx": ("v", 0), "vy": ("v", 1), "vz": ("v", 2),
           "fx": ("f", 0), "fy": ("f", 1), "fz": ("f", 2)}  # field and column
_REFERENCE = re.compile(r"^([cfv])_(\w+)(?:\[(\d+)\])?$")
_SEVERAL = re.compile(r"^([cf]|i2|d2)_(\w+)\[(\d*)\*(\d*)\]$")


@dataclass(frozen=True)
class Reference:
    """A c_, f_ or v_ word; `place` is its index, 0 without one."""

    kind: str
    name: str
    place: int
    user: str  # who names it, for errors

    @property
    def source(self) -> str:
        return f"{self.kind}_{self.name}"

    def all_columns(self, system: System) -> np.ndarray:
        """Values of this rank's atoms: (n,), or (n, columns)."""
        if self.kind == "v":
            return owned(system, np.asarray(variables(system, self.name).peratom(self.name)))
        known = system.computes if self.kind == "c" else system.fixes
        if self.name not in known:
            raise InputError(f"'{self.source}' was removed while {self.user} uses it", f"remove {self.user} first")
        known[self.name].up_to_date()
        return np.asarray(known[self.name].peratom())

    def needs(self, system: System, step: int) -> tuple[str, ...]:
        """What forces must be computed with at a step for its values to be there."""
        return needs(system, self.source, step)

    def column(self, values: np.ndarray) -> np.ndarray:
        """The one that is meant out of `all_columns`."""
        self.check(values.shape[1] if values.ndim == 2 else 0)
        return values[:, self.place - 1] if self.place else values

    def check(self, count: int) -> None:
        """Refuse an index that does not go with so many columns (0: values have none)."""
        if (count > 0) != (self.place > 0):
            raise InputError(f"'{self.source}' has {count or 'one'} value{'s' if count > 1 else ''} per atom",
                             f"give an index from 1 to {count}: {self.source}[1]" if count else
                             f"write {self.source}, without index")
        if self.place > count:
            raise InputError(f"'{self.source}[{self.place}]' is out of range: it has {count} values per atom",
                             "use a smaller index")


def reference(system: System, word: str, user: str) -> Reference | None:
    """The c_, f_ or v_ word, checked against what exists now; None if it is another word."""
    match = _REFERENCE.match(word)
    if not match:
        return None
    kind, name, place = match.groups()
    found = Reference(kind, name, int(place or 0), user)
    if place and not found.place:
        raise InputError(f"'{word}' is out of range: values per atom are counted from 1", f"use {kind}_{name}[1]")
    if kind == "v":
        if place:
            raise InputError(f"'{word}' has an index, and an atom-style variable gives one value per atom",
                             "leave out the index")
        return found
    item = operation(system, kind, name)
    if item.gives.columns is None:
        raise InputError(f"'{kind}_{name}' gives no values per atom",
                         item.gives.hint(f"{kind}_{name}"))
    found.check(item.gives.columns)
    return found


def spelled_out(system: System, words: list[str]) -> list[str]:
    """Words with those of several columns of a compute, a fix or a property, such as c_ID[2*5] or d2_NAME[*], one by one."""
    def count(kind: str, name: str, high: str) -> int:
        if kind in ("c", "f"):
            return operation(system, kind, name).gives.columns or 0
        field = system.atoms.fields.get(f"{kind}_{name}")
        return field.shown if field is not None else 0

    return one_by_one(words, _SEVERAL, count, "columns of values per atom")


def owned(system: System, values: np.ndarray) -> np.ndarray:
    """The rows of this rank's atoms out of those of all."""
    counts = system.ranks.all_of(system.atoms.n)
    begin = sum(counts[: system.ranks.rank])
    return values[begin : begin + system.atoms.n]


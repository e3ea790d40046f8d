"""Values of atoms that scripts name themselves (fix property/atom): i_NAME d_NAME i2_NAME[k] d2_NAME[k].

They are fields of atoms of these names: whole numbers or others, one (i, d) or several (i2, d2) of each atom.
"""

from __future__ import annotations

import re

import numpy as np

from everlet.errors import InputError
from everlet.state.system import System

_WORD = re.compile(r"^(i2?|d2?)_(\w+)(?:\[(\d+)\])?$", re.ASCII)


def custom(word: str) -> tuple[str, int] | None:
    """The field that a word names, and the number of the column, 0 without one; None for other words."""
    match = _WORD.match(word)
    return (f"{match[1]}_{match[2]}", int(match[3] or 0)) if match else None


def column_of(system: System, field: str, place: int, user: str) -> int | None:
    """Which column of a field is meant, counted from 0; None: it has but one number."""
    if field not in system.atoms.fields:
        raise InputError(f"{user}: there is no '{field}'", f"define it with: fix ID all property/atom {field}")
    several, width = "2" in field.partition("_")[0], system.atoms.read(field).reshape(system.atoms.n, -1).shape[1]
    if several != (place > 0) or several and system.atoms.n and place > width:
        raise InputError(f"{user}: '{field}' has {width if several else 'one'} value{'s' * (width > 1)} per atom",
                         f"use {field}[1] to {field}[{width}]" if several else "leave out the index")
    return place - 1 if several else None


def custom_values(system: System, field: str, place: int, user: str) -> np.ndarray:
    """Of this rank's atoms."""
    column = column_of(system, field, place, user)
    values = system.atoms.read(field)
    return np.asarray(values if column is None else values[:, column])

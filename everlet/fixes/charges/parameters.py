"""Parameters of charge equilibration: chi (electronegativity), eta (hardness), gamma (1/width) of types.

A file has a line `type chi eta gamma` for each type; of the styles qeq/point and qeq/shielded two more numbers, zeta and qcore,
which these do not use; of acks2/reaxff one more, the reach of soft bonds, and a first line with their softness. The type may be
a range such as 2*3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.reaxff.orders import reaxff_of
from everlet.inputs import open_text
from everlet.state.system import System

MORE = {4: " reach", 5: " zeta qcore"}  # columns behind gamma


def read_parameters(path: str, types: int, columns: int, style: str, first: str = "") -> tuple[np.ndarray, float]:
    """(types + 1, 3 or 4): chi, eta, gamma, of four columns the reach too; each line must have so many numbers behind the type.
    And the number of the first line, where there is one: `first` says what it is."""
    usage = "lines are: type chi eta gamma" + MORE.get(columns, "") + (f", the first line is {first}" if first else "")
    try:
        with open_text(path) as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise InputError(f"fix {style}: cannot read the parameter file '{path}': {error.strerror}",
                         "give the path of a file: " + usage) from None
    kept = 4 if columns == 4 else 3
    found, single = np.full((types + 1, kept), np.nan), np.nan
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        where = f"fix {style}: line {number} of '{path}'"
        if first and np.isnan(single):
            try:
                (single,) = map(float, words)
            except ValueError:
                raise InputError(f"{where} is not one number: '{line.strip()}'", usage) from None
            continue
        if len(words) < columns + 1:
            raise InputError(f"{where} has {len(words)} words, {columns + 1} are needed", usage)
        low, high = _types(words[0], types, where)
        try:
            values = [float(word) for word in words[1 : columns + 1]]
        except ValueError:
            raise InputError(f"{where} has a word that is not a number: '{line.strip()}'", usage) from None
        found[low : high + 1] = values[:kept]
    missing = [str(k) for k in range(1, types + 1) if np.isnan(found[k]).any()]
    if missing:
        raise InputError(f"fix {style}: '{path}' has no parameters of type {', '.join(missing)}", usage)
    return found, single


def numbers_of_pair(system: System, who: str, bit: Any) -> np.ndarray:
    """(types + 1, 4): chi, eta, gamma and the reach of soft bonds, of pair_style reaxff. Types without an element may not be
    among the atoms of the group; theirs are not used."""
    found = reaxff_of(system)
    if found is None:
        raise InputError(f"{who} takes its parameters from pair_style reaxff, which is not there",
                         "use pair_style reaxff, or name a file of parameters")
    numbers, rows = found.charge_numbers(), found.rows
    types = system.whole.read("type")[(system.whole.read("mask") & bit) != 0]
    bare = [str(k) for k in range(1, len(rows)) if rows[k] < 0 and (types == k).any()]
    if bare:
        raise InputError(f"{who}: atoms of type {', '.join(bare)} have no element in pair style reaxff",
                         "name a group without them")
    columns = np.column_stack([numbers.chi, numbers.eta, numbers.gamma, numbers.reach])
    return np.where(rows[:, None] < 0, [0.0, 1.0, 1.0, 0.0], columns)


def soft_of_pair(system: System) -> float:
    """How soft bonds are in pair_style reaxff."""
    found = reaxff_of(system)
    return found.charge_numbers().soft if found is not None else np.nan


def _types(word: str, types: int, where: str) -> tuple[int, int]:
    """The first and the last type that a word names."""
    low, star, high = word.partition("*")
    try:
        first = int(low) if low else 1
        last = (int(high) if high else types) if star else first
    except ValueError:
        raise InputError(f"{where} begins with '{word}'", "the first word is a type, or a range such as 2*3") from None
    if not 1 <= first <= last <= types:
        raise InputError(f"{where} is for type {word}, there are types 1 to {types}", "correct the first word")
    return first, last


def check(parameters: np.ndarray, types: np.ndarray, style: str, shielded: bool) -> None:
    """Refuse numbers of these types with which there is no solution."""
    for type in types.tolist():
        eta, gamma = parameters[type][1:3]
        if not eta > 0.0:
            raise InputError(f"fix {style}: eta of type {type} is {eta:g}", "a hardness must be above zero")
        if shielded and not gamma > 0.0:
            raise InputError(f"fix {style}: gamma of type {type} is {gamma:g}", "it must be above zero")

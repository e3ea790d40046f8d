"""Keywords of `set` for atoms that have a direction.

    dipole X Y Z            the moment; may be variables v_name, of style equal or atom
    dipole/random SEED D    moments of length D in random directions, which follow from the positions of atoms
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, integer, number
from everlet.script.values import values
from everlet.state.atom_styles import need_field
from everlet.state.random import PositionStreams


def given(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> np.ndarray:
    """Numbers of words for each of the rows, finite."""
    found = [np.broadcast_to(np.asarray(values(sim, word, f"a {key}", rows), float), len(rows)) for word in words]
    if not np.isfinite(found).all():
        raise InputError(f"set {key} {' '.join(words)}: not finite numbers", "correct the values or the formulas")
    return np.stack(found, axis=1)


def dipole(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, "mu", "set dipole")
    sim.system.atoms.edit("mu")[rows] = given(sim, rows, key, words)
    return len(rows)


def directions(sim: Any, rows: np.ndarray, seed: str) -> np.ndarray:
    """Of length 1; in two dimensions without z."""
    streams = PositionStreams(integer(seed, "a seed"), sim.system.atoms.read("x")[rows])
    found = np.stack([streams.uniform() - 0.5 for _ in range(sim.system.dimension)], axis=1)
    found = np.pad(found, ((0, 0), (0, 3 - sim.system.dimension)))
    return found / np.sqrt((found**2).sum(axis=1))[:, None]


def dipole_random(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, "mu", "set dipole/random")
    size = number(words[1], "the length of a dipole")
    if size < 0.0:
        raise InputError(f"set dipole/random: a dipole of length {words[1]}", "give 0 or more")
    sim.system.atoms.edit("mu")[rows] = size * directions(sim, rows, words[0])
    return len(rows)


ACTIONS = {"dipole": (dipole, 3), "dipole/random": (dipole_random, 2)}

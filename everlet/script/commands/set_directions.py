"""Keywords of `set` for atoms that have a direction.

    dipole X Y Z            the moment; may be variables v_name, of style equal or atom
    dipole/random SEED D    moments of length D in random directions, which follow from the positions of atoms
    shape SX SY SZ          diameters of an ellipsoid, whose axes are x, y, z if it was a point; 0 0 0: a point
    quat A B C THETA        the frame of an ellipsoid, turned by THETA degrees about A B C, a vector of length 1 (the reference
                            takes others as they are, and so turns by another angle)
    quat/random SEED        any frame, which follows from the position
    angmom LX LY LZ         the angular momentum
    spin/atom M X Y Z       moment and direction of a spin; also called spin
    spin/atom/random SEED M any direction, which follows from the position; also called spin/random
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


def shape(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    atoms = sim.system.atoms
    need_field(atoms, "shape", "set shape")
    found = 0.5 * given(sim, rows, key, words)
    if (found < 0.0).any() or ((found > 0.0).any(axis=1) != (found > 0.0).all(axis=1)).any():
        raise InputError(f"set shape {' '.join(words)}", "give three diameters above zero, or 0 0 0")
    quat, new = atoms.edit("quat"), rows[(atoms.read("shape")[rows] == 0.0).all(axis=1)]
    quat[new] = (1.0, 0.0, 0.0, 0.0)
    atoms.edit("shape")[rows] = found
    quat[rows[found[:, 0] == 0.0]] = 0.0
    return len(rows)


def _frames(sim: Any, rows: np.ndarray, key: str, quat: np.ndarray) -> int:
    atoms = sim.system.atoms
    need_field(atoms, "quat", f"set {key}")
    points = atoms.read("id")[rows[(atoms.read("shape")[rows] == 0.0).any(axis=1)]]
    if len(points):
        raise InputError(f"set {key}: atom {points[0]} is a point", "use set … shape first")
    atoms.edit("quat")[rows] = quat / np.sqrt((quat**2).sum(axis=1))[:, None]
    return len(rows)


def quat(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    found = given(sim, rows, key, words)
    axis, half = found[:, :3], 0.5 * np.radians(found[:, 3:])
    if not axis.any(axis=1).all():
        raise InputError(f"set quat {' '.join(words)}: the axis has no direction", "give A B C that are not all zero")
    if sim.system.dimension == 2 and axis[:, :2].any():
        raise InputError("set quat would turn atoms out of the plane", "use 0 0 1 for the axis")
    return _frames(sim, rows, key, np.concatenate([np.cos(half), np.sin(half) * axis], axis=1))


def quat_random(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    streams = PositionStreams(integer(words[0], "a seed"), sim.system.atoms.read("x")[rows])
    if sim.system.dimension == 2:
        half = np.pi * streams.uniform()
        return _frames(sim, rows, key, np.stack([np.cos(half), 0.0 * half, 0.0 * half, np.sin(half)], axis=1))
    part = streams.uniform()
    long, short = np.sqrt(part), np.sqrt(1.0 - part)
    first, second = 2.0 * np.pi * streams.uniform(), 2.0 * np.pi * streams.uniform()
    return _frames(sim, rows, key, np.stack([np.cos(second) * long, np.sin(first) * short, np.cos(first) * short,
                                             np.sin(second) * long], axis=1))


def angmom(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, "angmom", "set angmom")
    sim.system.atoms.edit("angmom")[rows] = given(sim, rows, key, words)
    return len(rows)


def spin(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, "spin", f"set {key}")
    found = given(sim, rows, key, words)
    size = np.sqrt((found[:, 1:] ** 2).sum(axis=1))[:, None]
    if (found[:, 0] <= 0.0).any() or (size == 0.0).any():
        raise InputError(f"set {key} {' '.join(words)}", "give a moment above zero and a direction")
    sim.system.atoms.edit("spin")[rows] = np.concatenate([found[:, 1:] / size, found[:, :1]], axis=1)
    return len(rows)


def spin_random(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, "spin", f"set {key}")
    moment = number(words[1], "a moment")
    if moment <= 0.0:
        raise InputError(f"set {key}: a moment {words[1]}", "give a number above zero")
    ways = directions(sim, rows, words[0])
    sim.system.atoms.edit("spin")[rows] = np.concatenate([ways, np.full((len(rows), 1), moment)], axis=1)
    return len(rows)


ACTIONS = {"spin": (spin, 4), "spin/atom": (spin, 4), "spin/random": (spin_random, 2), "spin/atom/random": (spin_random, 2),
           "dipole": (dipole, 3), "dipole/random": (dipole_random, 2), "shape": (shape, 3), "quat": (quat, 4),
           "quat/random": (quat_random, 1), "angmom": (angmom, 3)}

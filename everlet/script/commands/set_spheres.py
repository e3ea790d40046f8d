"""Keywords of `set` for atoms that have a size, a mass of their own or an angular velocity.

    diameter D            the mass stays
    density RHO           m = RHO 4/3 pi R^3 with the present radius, or of one without RHO 4/3 pi a b c; of a
                          point the mass itself
    density/disc RHO      m = RHO pi R^2
    mass M
    omega WX WY WZ

All may be variables v_name, of style equal or atom.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.script.values import values
from everlet.state.atom_styles import BALL, need_field
from everlet.state.masses import OWN


def _given(sim: Any, rows: np.ndarray, key: str, word: str, positive: bool = True) -> np.ndarray:
    found = np.broadcast_to(np.asarray(values(sim, word, f"a {key}", rows), float), len(rows))
    if not np.isfinite(found).all() or (positive and (found <= 0.0).any()):
        raise InputError(f"set {key} {word}", "give a number above zero" if positive else "give a finite number")
    return found


def diameter(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, "radius", "set diameter")
    found = _given(sim, rows, key, words[0], positive=False)
    if (found < 0.0).any():
        raise InputError(f"set diameter {words[0]}", "give 0 or more")
    sim.system.atoms.edit("radius")[rows] = 0.5 * found
    return len(rows)


def density(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    atoms = sim.system.atoms
    size = np.zeros(len(rows))
    if "shape" in atoms.fields and key == "density":
        size = BALL * atoms.read("shape")[rows].prod(axis=1)
    else:
        need_field(atoms, "radius", f"set {key}")
    if "radius" in atoms.fields:
        radius = atoms.read("radius")[rows]
        size = np.where(radius > 0.0, math.pi * radius**2 if key == "density/disc" else BALL * radius**3, size)
    atoms.edit(OWN)[rows] = _given(sim, rows, key, words[0]) * np.where(size > 0.0, size, 1.0)
    return len(rows)


def mass(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, OWN, "set mass")
    sim.system.atoms.edit(OWN)[rows] = _given(sim, rows, key, words[0])
    return len(rows)


def omega(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, "omega", "set omega")
    found = [_given(sim, rows, key, word, positive=False) for word in words]
    sim.system.atoms.edit("omega")[rows] = np.stack(found, axis=1)
    return len(rows)


ACTIONS = {"diameter": (diameter, 1), "density": (density, 1), "density/disc": (density, 1), "mass": (mass, 1),
           "omega": (omega, 3)}

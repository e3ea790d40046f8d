"""Words of atom commands as numbers: lattice or box units, axes, variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import number, one_of, unknown
from everlet.state.system import System


def spacing(system: System, units: str) -> tuple[float, float, float]:
    """Length of one unit along x, y, z: 1 for `box`, the lattice spacing for `lattice` (1 when no lattice is set)."""
    one_of("value of the keyword 'units'", units, ("lattice", "box"))
    if units == "box" or system.lattice is None:
        return 1.0, 1.0, 1.0
    x, y, z = system.lattice.spacing
    return float(x), float(y), float(z)


def axis(word: str, what: str = "coordinate", names: tuple[str, ...] = ("x", "y", "z")) -> int:
    """0, 1 or 2 for x, y or z (or for the given names)."""
    one_of(what, word, names)
    return names.index(word)


def values(sim: Any, word: str, what: str, rows: np.ndarray) -> float | np.ndarray:
    """A number; or what a variable `v_name` is now: one number, or one for each of the atoms `rows` (style atom)."""
    if not word.startswith("v_"):
        return number(word, what)
    name = word[2:]
    if sim.variables.style(name) in ("atom", "atomfile"):
        return sim.variables.peratom(name)[rows]
    return sim.variables.evaluate(name)


def members(system: System, style: str, name: str, what: str) -> np.ndarray:
    """True for the owned atoms of a group or of a region: bool (n,)."""
    if style == "group":
        return system.groups.member(name, system.atoms.read("mask"))
    if style == "region":
        one_of("region", name, system.regions)
        return system.regions[name].inside(system.atoms.read("x"))
    raise unknown(what, style, ("group", "region"))

"""bond_write, angle_write, dihedral_write: energies of links as table files, readable by bond, angle and dihedral style table.

    bond_write TYPE N INNER OUTER FILE KEYWORD         angle_write TYPE N FILE KEYWORD        dihedral_write TYPE N FILE KEYWORD

N lines of index, length or degrees, energy, force (-dE/dr, or -dE per degree): from inner to outer, from 0 to 180 degrees, or
at N places of a whole turn. Slopes of angles at 0 and 180 degrees follow from those near there.
"""

from __future__ import annotations

import contextlib
import inspect

import numpy as np

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.bonded.base import LinkStyle
from everlet.forces.bonded.driver import evaluate
from everlet.forces.pair.writing import store_table, table_row
from everlet.state.system import System
from everlet.state.topology import Kind

ALONE = {"bond": {"r", "r2"}, "angle": {"theta", "cosine"}, "dihedral": {"phi", "cosine"}}
COLUMN = {"bond": "r", "angle": "theta", "dihedral": "theta"}
STEP = 0.2  # degrees: as near to a straight angle as slopes are asked for


def link_write(system: System, kind: Kind, args: list[str]) -> str:
    """Write the file; the result is the line for the log."""
    name, ends = kind.name, "INNER OUTER " if kind.name == "bond" else ""
    count = 6 if ends else 4
    arguments(args, count, count, f"{name}_write TYPE N {ends}FILE KEYWORD")
    if system.bonded[name] is None:
        raise InputError(f"there is no {name} style yet", f"use {name}_style first")
    type, n = system.topology.type_of(kind, args[0]), integer(args[1], "the number of lines")
    if n < 2:
        raise InputError(f"{name}_write needs 2 lines or more, found {n}", "use a larger N")
    style, types = _style(system, name, type)
    head, places = f"N {n}", np.arange(float(n))
    if name == "bond":
        inner, outer = number(args[2], "the inner length"), number(args[3], "the outer length")
        if not 0.0 < inner < outer:
            raise InputError(f"bond_write needs 0 < inner < outer, found {inner:g} and {outer:g}", "choose other lengths")
        places = inner + (outer - inner) * places / (n - 1)
    else:
        places = places * (180.0 / (n - 1) if name == "angle" else 360.0 / n)
    energy, force = _values(system, style, type, types, name, places)
    if name == "dihedral":
        head += " DEGREES"
    else:
        with contextlib.suppress(InputError):
            head += f" EQ {style.rest(type):.15g}"
    title = f"# {name.capitalize()} potential {system.bonded[name].name} for {name} type {type}: i,{COLUMN[name]},energy,force"
    lines = [title, "", args[-1], head, "", *map(table_row, range(n), places.tolist(), energy.tolist(), force.tolist())]
    return store_table(args[-2], "\n".join(lines) + "\n", system.units.name, f"{name}_write")


def _style(system: System, name: str, type: int) -> tuple[LinkStyle, list[int]]:
    for style, types in system.bonded[name].members():
        if type in types:
            formula = style.curve or style.energy
            asked = set(inspect.signature(formula.body).parameters) - {"p", "data"} if formula is not None else set()
            if asked - ALONE[name]:
                raise InputError(f"{name}_write: energies of {name} style {style.name} depend on more than one coordinate",
                                 f"choose another {name} style")
            return style, types
    raise InputError(f"{name}_write: {name} type {type} has no energy", f"give it a {name} style that has one")


def _values(system: System, style: LinkStyle, type: int, types: list[int], name: str, places: np.ndarray
            ) -> tuple[np.ndarray, np.ndarray]:
    """Energies, and less their slopes along the coordinate."""
    near = np.append(places, [2.0 * STEP, 180.0 - 2.0 * STEP])
    if name == "angle":  # no slope where it is straight: on the line through two values near there
        near[0], near[-3] = STEP, 180.0 - STEP
    found = evaluate(style, np.concatenate([_ways(name, places), _ways(name, near)]), system.space, type, types)
    energy, slopes = found[: len(places), 0], found[len(places):, 1:]
    if name == "bond":
        return energy, -slopes[:-2, 0]
    a = np.radians(near)
    force = (slopes[:, -3] * np.sin(a) - slopes[:, -2] * np.cos(a)) * (np.pi / 180.0)
    if name == "angle":
        force[[0, -3]] = 2.0 * force[[0, -3]] - force[-2:]
    return energy, force[:-2]


def _ways(name: str, places: np.ndarray) -> np.ndarray:
    """From atom 2 to the others, where the coordinate has these values: lengths are 1, angles of chains 90 degrees."""
    n, a = len(places), np.radians(places)
    one, zero = np.ones(n), np.zeros(n)
    if name == "bond":
        return np.stack([places, zero, zero], axis=1)
    if name == "angle":
        return np.stack([one, zero, zero, np.cos(a), np.sin(a), zero], axis=1)
    return np.stack([one, zero, zero, zero, zero, one, np.cos(a), np.sin(a), one], axis=1)

"""Values of atoms that come from a program: checked as those of scripts and files are, before any is taken.

    checked(system, "x", values)    an array of the field's type, or an error that says what is wrong with it
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.state.system import System
from everlet.state.topology import KINDS, count_links, has

INNER = {"mask": "use the group command", "special": "use special_bonds and the commands that make links"}
LINKS = frozenset(word for kind in KINDS.values() for word in (kind.type, kind.atoms))
LARGEST = 1.0e100  # of a number: its square is one, too


def checked(system: System, name: str, values: Any, ids: np.ndarray) -> np.ndarray:
    """`values` for the field `name`, one row for the atom of each of `ids`."""
    target = system.atoms.read(name)
    if name in INNER or name in LINKS:
        raise InputError(f"the field '{name}' cannot be set by set_array",
                         INNER.get(name, "links are made by read_data, create_bonds and create_atoms mol"))
    try:
        given = np.asarray(values)
    except ValueError:
        raise InputError(f"set_array('{name}') needs an array of shape {target.shape}, found rows of different lengths",
                         "give one row for each atom") from None
    if given.dtype.kind not in "fiu":
        raise InputError(f"set_array('{name}') needs numbers, found values of type {given.dtype}", "give real numbers")
    if given.shape != target.shape:
        raise InputError(f"set_array('{name}') needs an array of shape {target.shape}, found {given.shape}",
                         "give one row for each atom, in the order of their ids")
    if target.dtype.kind == "f" and (np.abs(given) <= LARGEST).all():
        return given.astype(target.dtype)
    _refuse(name, ids, ~np.isfinite(given), "is not a finite number")
    if target.dtype.kind == "f":
        _refuse(name, ids, np.abs(given) > LARGEST, f"is larger than {LARGEST:g}")
        return given.astype(target.dtype)
    _refuse(name, ids, given != np.rint(given), "is not a whole number")
    info = np.iinfo(target.dtype)
    _refuse(name, ids, (given < float(info.min)) | (given >= float(info.max)), f"does not fit into {info.bits} bits")
    whole = given.astype(target.dtype)
    if name == "type":
        _refuse(name, ids, (whole < 1) | (whole > system.ntypes), f"is no type: there are 1 to {system.ntypes}")
    if name == "image":
        fixed = ~np.array(system.need_box().periodic)
        _refuse(name, ids, (whole != 0) & fixed, "has an image flag other than 0 where the box is not periodic")
    if name == "molecule":
        _refuse(name, ids, whole < 0, "is below 0")
    if name == "id":
        _check_ids(system, whole, ids)
    return whole


def _refuse(name: str, ids: np.ndarray, bad: np.ndarray, why: str) -> None:
    """An error that names the first bad value."""
    if not bad.any():
        return
    rows = np.flatnonzero(bad.reshape(len(ids), -1).any(axis=1)) if len(ids) else np.zeros(0, int)
    if len(rows):
        raise InputError(f"set_array('{name}'): the value of atom {ids[rows[0]]} {why}"
                         + (f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""), "correct it")


def _check_ids(system: System, given: np.ndarray, ids: np.ndarray) -> None:
    _refuse("id", ids, given < 1, "is below 1")
    found, counts = np.unique(given, return_counts=True)
    if (counts > 1).any():
        raise InputError(f"set_array('id'): two atoms have the id {found[counts > 1][0]}", "ids are different from each other")
    linked = any(has(system.atoms, kind) and count_links(system.atoms, kind) for kind in KINDS.values())
    if linked and not np.array_equal(given, ids):
        raise InputError("set_array('id'): atoms have links, which name each other's ids", "use reset_atoms id")

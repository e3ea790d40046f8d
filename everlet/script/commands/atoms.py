"""Masses and removal of atoms.

    mass type value                                      type: number, label or wildcard (2, *, 2*, *3, 1*4)
    delete_atoms group|region ID [compress yes|no] [bond yes|no] [mol yes|no]

Masses are in mass units.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, number, unknown, yes_no
from everlet.script.registry import command
from everlet.script.values import members
from everlet.state.atom_styles import need_field
from everlet.state.special_lists import renew_special
from everlet.state.system import System
from everlet.state.topology import BOND, KINDS, count_links, has, links, set_links


@command("mass")
def mass(sim: Any, args: list[str]) -> None:
    arguments(args, 2, 2, "mass type value")
    system: System = sim.system
    system.need_box()
    value = number(args[1], "a mass")
    if not 0.0 < value < np.inf:
        raise InputError(f"mass {args[1]} is not a positive number", "give a mass above zero")
    types = system.type_range(args[0])
    system.masses[types.start : types.stop] = value


@command("delete_atoms")
def delete_atoms(sim: Any, args: list[str]) -> None:
    """Remove atoms. With `compress yes` (the default) the rest get ids 1 to N in storage order; atoms with molecules keep
    theirs. `mol`: whole molecules go. `bond`: links of the atoms go with them; pairs that were special stay so.
    """
    arguments(args, 2, None, "delete_atoms group|region ID [compress yes|no] [bond yes|no] [mol yes|no]")
    system: System = sim.system
    system.need_box()
    style, name = args[:2]
    if style in ("overlap", "random", "variable", "partial", "porosity"):
        raise InputError(f"delete_atoms {style} is not supported", "select atoms by group or region")
    options = delete_options(args[2:])
    gone = members(system, style, name, "delete_atoms style")
    atoms = system.atoms
    if options["mol"]:
        need_field(atoms, "molecule", "delete_atoms mol yes")
        molecules = atoms.read("molecule")
        gone = gone | ((molecules > 0) & np.isin(molecules, molecules[gone]))
    counts = {kind: count_links(atoms, kind) for kind in KINDS.values()}
    if options["bond"]:
        remove_links(system, gone)
    atoms.select(survivors(gone))
    if options["compress"] and "molecule" not in atoms.fields:
        atoms.edit("id")[:] = np.arange(1, atoms.n + 1)
    sim.log.write(f"Deleted {np.count_nonzero(gone)} atoms, new total = {system.natoms}")
    for kind, before in counts.items():
        if options["bond"] and before:
            left = count_links(atoms, kind)
            sim.log.write(f"Deleted {before - left} {kind.plural}, new total = {left}")


def delete_options(words: list[str]) -> dict[str, bool]:
    """The keywords of delete_atoms."""
    options = {"compress": True, "bond": False, "mol": False}
    if len(words) % 2:
        raise InputError(f"delete_atoms keyword '{words[-1]}' has no value", "usage: compress yes|no")
    for key, word in zip(words[::2], words[1::2], strict=True):
        if key not in options:
            raise unknown("delete_atoms keyword", key, options)
        options[key] = yes_no(word, f"delete_atoms keyword '{key}'")
    return options


def remove_links(system: System, gone: np.ndarray) -> None:
    """Remove links of these atoms. Special lists are not made from the links that are left."""
    atoms, ids = system.atoms, system.atoms.read("id")[gone]
    if not has(atoms, BOND):
        raise InputError("delete_atoms bond yes: atoms have no bonds", "remove the keyword")
    renew_special(system)
    for name, kind in KINDS.items():
        if has(atoms, kind):
            table = links(atoms, kind)
            set_links(atoms, kind, table[~np.isin(table[:, 1:], ids).any(axis=1)], system.topology.extra[name])
    special = atoms.edit("special")
    special[np.isin(special // 4, ids)] = 0


def survivors(gone: np.ndarray) -> np.ndarray:
    """Rows that stay, in their new order: holes are filled, first to last, with the last atoms that stay.

    The reference does it this way, and new ids (compress yes) depend on the order.
    """
    left = int(np.count_nonzero(~gone))
    rows = np.arange(left)
    holes = np.flatnonzero(gone[:left])
    tail = np.flatnonzero(~gone[left:]) + left
    rows[holes] = tail[::-1]
    return rows

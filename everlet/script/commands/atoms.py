"""Masses, removal and numbering of atoms.

    mass type value                                      type: number, label or wildcard (2, *, 2*, *3, 1*4)
    delete_atoms group|region ID [compress yes|no]
    reset_atoms id [sort no]

Masses are in mass units.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, number, unknown, yes_no
from everlet.script.registry import command
from everlet.script.values import members
from everlet.state.atoms import Atoms
from everlet.state.system import System


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
    """Remove atoms. With `compress yes` (the default) the rest get ids 1 to N in storage order."""
    arguments(args, 2, None, "delete_atoms group|region ID [compress yes|no]")
    system: System = sim.system
    system.need_box()
    style, name = args[:2]
    if style in ("overlap", "random", "variable", "partial", "porosity"):
        raise InputError(f"delete_atoms {style} is not supported", "select atoms by group or region")
    compress = delete_options(args[2:])
    gone = members(system, style, name, "delete_atoms style")
    atoms = system.atoms
    atoms.select(survivors(gone))
    if compress:
        renumber(atoms)
    sim.log.write(f"Deleted {np.count_nonzero(gone)} atoms, new total = {system.natoms}")


def delete_options(words: list[str]) -> bool:
    """The keywords of delete_atoms; returns whether to renumber."""
    compress = True
    if len(words) % 2:
        raise InputError(f"delete_atoms keyword '{words[-1]}' has no value", "usage: compress yes|no")
    for key, word in zip(words[::2], words[1::2], strict=True):
        if key not in ("compress", "bond", "mol"):
            raise unknown("delete_atoms keyword", key, ("compress",))
        value = yes_no(word, f"delete_atoms keyword '{key}'")
        if key == "compress":
            compress = value
        elif value:
            raise InputError(f"delete_atoms keyword '{key}': molecules are not supported", "remove the keyword")
    return compress


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


@command("reset_atoms")
def reset_atoms(sim: Any, args: list[str]) -> None:
    """`reset_atoms id`: ids become 1 to N in storage order. Atoms are wrapped and the box is fitted, as for a run: the
    reference does so, and bits of positions seed streams."""
    arguments(args, 1, 3, "reset_atoms id [sort no]")
    box, atoms = sim.system.need_box(), sim.system.atoms
    if args[0] in ("image", "mol"):
        raise InputError(f"reset_atoms {args[0]} is not supported", "only reset_atoms id is")
    if args[0] != "id":
        raise unknown("reset_atoms style", args[0], ("id",))
    if len(args) > 1:
        if args[1] != "sort":
            raise unknown("reset_atoms keyword", args[1], ("sort",))
        arguments(args, 3, 3, "reset_atoms id [sort no]")
        if yes_no(args[2], "reset_atoms keyword 'sort'"):
            raise InputError("reset_atoms id sort yes is not supported", "use sort no: ids follow storage order")
    sim.log.write("Resetting atom IDs ...")
    box.wrap(atoms.edit("x"), atoms.edit("image"))
    if box.shrink(atoms.read("x")) and box.triclinic:
        box.wrap(atoms.edit("x"), atoms.edit("image"))
    renumber(atoms)


def renumber(atoms: Atoms) -> None:
    atoms.edit("id")[:] = np.arange(1, atoms.n + 1)

"""mass TYPE VALUE: masses of atoms; TYPE is a number, label or wildcard (2, *, 2*, *3, 1*4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.script.registry import boxed, command
from everlet.state.masses import OWN


@command("mass", stored=True, in_batch=True)
def mass(sim: Any, args: list[str]) -> None:
    arguments(args, 2, 2, "mass type value")
    system = boxed(sim)
    value = number(args[1], "a mass")
    if not 0.0 < value < np.inf:
        raise InputError(f"mass {args[1]} is not a positive number", "give a mass above zero")
    types = system.type_range(args[0])
    if OWN in system.atoms.fields and not system.atom_style.name.startswith("hybrid"):
        raise InputError(f"mass: atoms of style {system.atom_style.name} have masses of their own", "use set … mass or density")
    system.masses[types.start : types.stop] = value

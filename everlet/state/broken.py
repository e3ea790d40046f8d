"""Finding out what went wrong when positions, velocities or forces are not numbers any more."""

from __future__ import annotations

import numpy as np

from everlet.errors import RunError
from everlet.state.system import System

UNSTABLE = ("atoms overlap or the timestep is too large: look at the first thermo rows (thermo 1), check the start "
            "positions, use a smaller timestep")
SHOWN = 3  # atoms named in a message
FIELDS = (("x", "position"), ("v", "velocity"), ("f", "force"))


def name_atoms(system: System, rows: np.ndarray) -> str:
    """`atom 7 at (1 2 3), atom 9 at (...)` for the first of some rows."""
    atoms = system.atoms
    ids, x = atoms.read("id"), atoms.read("x")
    named = [f"atom {ids[i]} at ({' '.join(f'{c:.6g}' for c in x[i])})" for i in rows[:SHOWN]]
    return ", ".join(named) + (f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else "")


def broken_numbers(system: System) -> RunError | None:
    """The error for atoms whose position, velocity or force is not finite; None if all are."""
    for field, what in FIELDS:
        bad = np.flatnonzero(~np.isfinite(system.atoms.read(field)).all(axis=1))
        named = next(filter(None, system.ranks.all_of(name_atoms(system, bad))), "")
        if named:
            return RunError(f"the {what} is not a finite number: {named} at step {system.step}", UNSTABLE)
    return None

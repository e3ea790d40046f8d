"""Room for atoms: more than fit into the memory of this machine are refused before any is made."""

from __future__ import annotations

import os

from everlet.errors import InputError

BYTES = 150  # of an atom, at least: positions, velocities, forces, ids, and lists of them while they are made
MOST = 2**31 - 1  # indices have 32 bits


def memory() -> float:
    """Bytes of memory that this machine has; infinite if it does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return float("inf")


def check_room(atoms: float) -> None:
    """Refuse so many atoms, or sites to look at, if there cannot be room for them."""
    if atoms > MOST or atoms * BYTES > memory():
        raise InputError(f"{atoms:.4g} atoms do not fit into the memory of this machine, or into 32 bits",
                         "use fewer atoms, a smaller box, or a larger lattice constant")

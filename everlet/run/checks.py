"""What is said about a simulation before it runs."""

from __future__ import annotations

import numpy as np

from everlet.state.system import System


def moved_twice(system: System) -> str:
    """A warning about atoms that several fixes move, or nothing."""
    movers = [fix for fix in system.fixes.values() if fix.integrates]
    if len(movers) < 2:
        return ""
    mask = system.atoms.read("mask")
    count = sum(((mask & fix.bit) != 0).astype(np.int64) for fix in movers)
    several = system.ranks.any(bool(np.any(count > 1)))
    return f"atoms are moved by more than one of the fixes {', '.join(fix.id for fix in movers)}" if several else ""

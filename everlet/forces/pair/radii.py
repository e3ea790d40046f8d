"""Radii of spheres, for cutoffs that follow from them."""

from __future__ import annotations

import numpy as np

from everlet.state.system import System


def largest_radii(system: System) -> np.ndarray:
    """The largest radius of each type, also of spheres that fixes will insert."""
    atoms = system.atoms
    found = np.zeros(system.ntypes + 1)
    np.maximum.at(found, atoms.read("type"), atoms.read("radius"))
    for fix in system.fixes.values():
        for kind, radius in fix.inserted_radii().items():
            found[kind] = max(found[kind], radius)
    return np.asarray(system.ranks.max(found))

"""The ledger of the last forces that were computed with energy and virial: by term, and in all.

    energies   vdwl coul bond angle dihed imp long tail (energy units)
    virial     xx yy zz xy xz yz (energy units)
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

ENERGIES = ("vdwl", "coul", "bond", "angle", "dihed", "imp", "long", "tail")


@dataclass
class Entry:
    """What one term has contributed, summed over all ranks."""

    energies: dict[str, float] = field(default_factory=dict)
    virial: np.ndarray = field(default_factory=lambda: np.zeros(6))


class Ledger:
    """Valid for step `step`; `energies` and `virial` are sums over terms."""

    def __init__(self) -> None:
        self.step = -1
        self.terms: dict[str, Entry] = {}
        self.energies = dict.fromkeys(ENERGIES, 0.0)
        self.virial = np.zeros(6)

    def fill(self, step: int, terms: dict[str, Entry]) -> None:
        """New entries; the tail correction stays, which depends on the box alone."""
        self.step, self.terms = step, terms
        for name in ENERGIES[:-1]:
            self.energies[name] = sum(entry.energies.get(name, 0.0) for entry in terms.values())
        self.virial[:] = sum((entry.virial for entry in terms.values()), np.zeros(6))

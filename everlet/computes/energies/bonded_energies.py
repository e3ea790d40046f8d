"""Energies of sub-styles of hybrid styles of links.

    compute ID all bond|angle|dihedral|improper     c_ID[i]: of sub-style i, in the order of bond_style hybrid …
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments
from everlet.forces.bonded.hybrid import Hybrid
from everlet.state.operation import ENERGY, EXTENSIVE, Gives
from everlet.state.system import System
from everlet.state.topology import KINDS


class LinkEnergies(Compute):
    """Sub-styles of links of one kind; one that has no links, or no energy, has 0."""

    kind: ClassVar[str] = ""
    uses = (ENERGY,)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, f"compute ID all {self.kind}")
        if group != "all":
            raise InputError(f"compute {self.kind} is for group all", f"use compute ID all {self.kind}")
        self.gives = Gives(vector=EXTENSIVE, length=len(self._styles()))

    def _styles(self) -> list[str]:
        style = self.system.bonded[self.kind]
        if not isinstance(style, Hybrid):
            raise InputError(f"compute {self.id}: the {self.kind} style is not hybrid",
                             f"use compute ID all pe {self.kind}, or {self.kind}_style hybrid before it")
        return list(style.styles)

    def vector(self) -> np.ndarray:
        self.check_tally()
        entries = self.system.ledger.terms
        both = [(f"{self.kind} {style}", f"{self.kind} {style} 1-3") for style in self._styles()]  # and of ends of angles
        return np.array([sum(sum(entries[name].energies.values()) for name in names if name in entries)
                         for names in both], float)


for name in KINDS:
    compute_style(name)(type(f"{name.capitalize()}Energies", (LinkEnergies,), {"kind": name}))

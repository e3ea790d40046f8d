"""Potential energy of each atom: half of each of its pairs, and what belongs to it alone, such as its embedding."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.of_terms import OfTerms
from everlet.state.operation import PERATOM_ENERGY, Gives
from everlet.state.system import System


@compute_style("pe/atom")
class PEAtom(OfTerms):
    """compute ID group pe/atom [pair] [bond] [angle] [dihedral] [improper] [kspace] [fix]

    Without words: all terms, and fixes that share theirs; no tail correction.
    """

    style = "pe/atom"
    gives = Gives(columns=0)
    uses = (PERATOM_ENERGY,)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.refuse(args, ("fix",))
        self.of_fixes = not args or "fix" in args
        self.nothing = set(args) == {"fix"}
        self.parts = tuple(sorted(set(args) - {"fix"}))

    def peratom(self) -> np.ndarray:
        total = np.zeros(self.system.atoms.n) if self.nothing else self.of_atoms()[0].copy()
        for fix in self.system.fixes.values() if self.of_fixes else ():
            if fix.energy_on:
                total += fix.atom_energies()
        return self.chosen(total)

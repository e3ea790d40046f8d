"""E = K (r - r_start)^2, r_start: the length of the bond at the start of the first run.   bond_coeff TYPE K

What is kept, in restart files too, is where atoms were: those that a later run finds new begin there. bond_style given anew
begins anew. Lengths are to the nearest image, in the box as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.driver import START
from everlet.portable import portable
from everlet.state import moments
from everlet.state.system import System


@bond_style("harmonic/restrain")
class HarmonicRestrain(BondStyle):
    coeffs = {"k": 100.0}
    starts = True

    def __init__(self, system: System, args: list[str]):
        super().__init__(system, args)
        self.known = False

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.known = state["known"]

    def state(self) -> dict[str, Any]:
        return super().state() | {"known": self.known}

    def begin(self) -> None:
        if self.system.members is not None:
            raise InputError(f"bond style {self.name} is not for batches", "run the systems one by one")
        if growing := [fix.id for fix in self.system.fixes.values() if fix.adds_links]:
            raise InputError(f"fix {growing[0]} adds bonds in a run, and bond style {self.name} knows no length for them",
                             "use bond_style harmonic")
        atoms = self.system.atoms
        if START not in atoms.fields:
            atoms.add_field(START, np.float64, 4, ghost="borders", fill=np.nan, shown=3)
        new = np.isnan(atoms.read(START)[:, 0]) if self.known else np.ones(atoms.n, bool)
        if new.any():
            found = moments.unwrapped(self.system.need_box(), atoms.read("x")[new], atoms.read("image")[new])
            atoms.edit(START)[new] = found
        self.known = True

    @portable
    def energy(r, start, p):
        return p.k * (r - start) ** 2

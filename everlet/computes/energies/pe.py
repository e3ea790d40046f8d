"""Potential energy of the whole system."""

from __future__ import annotations

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError
from everlet.state.operation import ENERGY, EXTENSIVE, Gives
from everlet.state.system import System

PARTS = {"pair": ("vdwl", "coul", "tail"), "bond": ("bond",), "angle": ("angle",), "dihedral": ("dihed",),
         "improper": ("imp",), "kspace": ("long",)}


@compute_style("pe")
class PE(Compute):
    """E = sum over terms, plus the tail correction and the energies of fixes (fix_modify energy yes).

    compute ID all pe [pair] [bond] [angle] [dihedral] [improper] [kspace] [fix]     without words: all of them
    """

    gives = Gives(scalar=EXTENSIVE)
    uses = (ENERGY,)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if group != "all":
            raise InputError("compute pe is for group all", "use compute ID all pe")
        for word in args:
            if word not in (*PARTS, "fix"):
                raise InputError(f"compute pe: contribution '{word}' is not available",
                                 f"leave it out, or use {' '.join(PARTS)} fix")
        self.names = [name for word in args or PARTS for name in PARTS.get(word, ())]
        self.with_fixes = not args or "fix" in args

    def scalar(self) -> float:
        self.check_tally()
        energies = self.system.energies
        total = sum([energies[name] for name in self.names])
        if self.with_fixes and self.system.fixes:
            total += sum(fix.scalar() for fix in self.system.fixes.values() if fix.energy_on)
        return total

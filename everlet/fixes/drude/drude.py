"""Which atoms are polarisable: cores, and the Drude particles that are bound to them."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, one_of
from everlet.fixes.base import Fix, fix_style
from everlet.state.fragments import bonded_rows
from everlet.state.system import System
from everlet.state.topology import BOND, has

KINDS = {"N": 0, "n": 0, "0": 0, "C": 1, "c": 1, "1": 1, "D": 2, "d": 2, "2": 2}
NONE, CORE, SHELL = 0, 1, 2


@fix_style("drude")
class Drude(Fix):
    """fix ID group drude FLAG …: a flag for each type: C core, D Drude particle, N neither (or 1, 2, 0). Each Drude particle
    has one bond to a core, and from then on the special pairs of that core, one bond away from it. It does nothing in a
    step."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if len(args) != system.ntypes:
            raise InputError(f"fix drude has {len(args)} flags for {system.ntypes} types of atoms", "give C, D or N for each")
        if not has(system.atoms, BOND):
            raise InputError("fix drude: atoms of this style have no bonds", "use atom_style bond, molecular or full")
        others = [fix.id for fix in system.fixes.values() if isinstance(fix, Drude)]
        if others:
            raise InputError(f"fix drude: fix {others[0]} says already which atoms are Drude particles", f"unfix {others[0]}")
        self.flags = np.array([NONE, *(KINDS[one_of("flag of fix drude", word, KINDS)] for word in args)])
        system.topology.special.shells = tuple(np.flatnonzero(self.flags == SHELL).tolist())
        system.topology.stale = True

    def remove(self) -> None:
        self.system.topology.special.shells = ()
        self.system.topology.stale = True
        super().remove()

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows of cores and of their Drude particles, among all atoms."""
        atoms = self.system.whole
        flags = self.flags[atoms.read("type")]
        bonds = bonded_rows(atoms, flags != NONE)
        both = np.concatenate([bonds, bonds[:, ::-1]])
        core, shell = both[(flags[both[:, 0]] == CORE) & (flags[both[:, 1]] == SHELL)].T
        if len(shell) != int((flags == SHELL).sum()) or len(np.unique(core)) != int((flags == CORE).sum()):
            raise InputError(f"fix {self.id}: a Drude particle without a core, or a core without one",
                             "give each core one bond to one Drude particle")
        return core, shell


def drude_of(system: System, user: str) -> Drude:
    """The fix that says which atoms are Drude particles."""
    found = next((fix for fix in system.fixes.values() if isinstance(fix, Drude)), None)
    if found is None:
        raise InputError(f"{user} needs a fix drude, which says what atoms are", "define fix ID all drude C N D … before it")
    return found

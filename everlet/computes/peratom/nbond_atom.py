"""How many bonds each atom has."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments, unknown
from everlet.state.operation import Gives
from everlet.state.system import System
from everlet.state.topology import BOND, has, links


@compute_style("nbond/atom")
class NBondAtom(Compute):
    """compute ID group nbond/atom [bond/type TYPE]: how many bonds an atom has, of this type; 0 for atoms outside of the group.
    Broken bonds (type 0) do not count, those that are switched off (types below 0) do not either."""

    gives = Gives(columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 2, "compute ID group nbond/atom [bond/type TYPE]")
        if not has(system.atoms, BOND):
            raise InputError("compute nbond/atom: atoms have no bonds", "use an atom style that has them")
        if args and args[0] != "bond/type":
            raise unknown("keyword of compute nbond/atom", args[0], ("bond/type",))
        self.type = system.topology.type_of(BOND, args[1]) if len(args) == 2 else 0

    def peratom(self) -> np.ndarray:
        atoms, ranks = self.system.atoms, self.system.ranks
        table = links(atoms, BOND)
        ends = table[table[:, 0] == self.type if self.type else table[:, 0] > 0, 1:].ravel()
        most = int(ranks.max(float(atoms.read("id").max(initial=0))))
        counts = ranks.sum(np.bincount(ends, minlength=most + 1).astype(float))
        return np.where(atoms.read("mask") & self.bit != 0, counts[atoms.read("id")], 0.0)

"""Which types atoms have around each atom."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.nearby import Nearby
from everlet.computes.peratom.coord_atom import count_near
from everlet.computes.peratom.near_points import cutoff_word
from everlet.portable import Constants
from everlet.state.operation import Gives
from everlet.state.system import System


@compute_style("composition/atom")
class CompositionAtom(Nearby):
    """compute ID group composition/atom [cutoff R]: c_ID[1]: atoms within R (that of the pair style), with the atom itself;
    c_ID[1 + T]: the share of type T among them."""

    body = count_near

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.given = cutoff_word("composition/atom", args)
        self.gives = Gives(columns=1 + system.ntypes)
        self.limits = Constants(2 * system.ntypes, system.space, "int32")
        self.limits.set([type for type in range(1, system.ntypes + 1) for _ in range(2)])

    def peratom(self) -> np.ndarray:
        system, atoms, types = self.system, self.system.atoms, self.system.ntypes
        self.cutoff = self.given or system.pair_cutoff
        counts = self.of_atoms(types, self.bit, system.groups.bit("all"), self.cutoff**2, types, self.limits.view)
        counts = counts.reshape(atoms.n, types) + (np.arange(1, types + 1) == atoms.read("type")[:, None])
        total = counts.sum(axis=1, keepdims=True)
        return np.where((atoms.read("mask") & self.bit != 0)[:, None], np.hstack([total, counts / total]), 0.0)

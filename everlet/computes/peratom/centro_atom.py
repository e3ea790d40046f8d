"""How far the surroundings of atoms are from being the same on opposite sides."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import NearPoints
from everlet.errors import InputError, arguments, integer
from everlet.state.operation import Gives
from everlet.state.system import System

KNOWN = {"fcc": 12, "bcc": 8}


@compute_style("centro/atom")
class CentroAtom(NearPoints):
    """compute ID group centro/atom fcc|bcc|N: sum of the N/2 smallest |r_j + r_k|^2 of all pairs of the N nearest neighbours
    (fcc: 12, bcc: 8) within the cutoff of the pair style; 0 with fewer neighbours, and for atoms that are not in the group."""

    gives = Gives(columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, "compute ID group centro/atom fcc|bcc|N")
        if args[1:] not in ([], ["axes", "no"]):
            raise InputError(f"compute centro/atom: '{' '.join(args[1:])}' is not available", "leave it out")
        self.count = KNOWN.get(args[0]) or integer(args[0], "a number of neighbours")
        if self.count < 2 or self.count % 2:
            raise InputError(f"compute centro/atom needs an even number of neighbours, found {args[0]}", "use fcc, bcc or N")

    def peratom(self) -> np.ndarray:
        rows, inside, d, _ = self.near()
        full = inside >= self.count
        j, k = np.triu_indices(self.count, 1)
        d = d[full][:, : self.count]
        found = np.zeros(self.system.atoms.n)
        if len(d):
            found[rows[full]] = np.sort(((d[:, j] + d[:, k]) ** 2).sum(axis=2), axis=1)[:, : self.count // 2].sum(axis=1)
        return found

"""Bonds of pair_style reaxff: how many atoms have, and a table of them."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, unknown, yes_no
from everlet.forces.manybody.reaxff.orders import bond_orders, need_reaxff
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "compute ID group reaxff/atom [bonds yes|no]"


@compute_style("reaxff/atom")
class ReaxffAtom(Compute):
    """compute ID group reaxff/atom [bonds yes|no]: c_ID[1-3] of atoms: sum of bond orders and lone pairs, of all atoms;
    number of bonds between atoms of the group whose order is above bond_graph_cutoff (0.3). bonds yes: a local table of these,
    both ids and the order."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if args and args[0] != "bonds":
            raise unknown("keyword of compute reaxff/atom", args[0], ("bonds",), f"usage: {USAGE}")
        if len(args) not in (0, 2):
            raise InputError("compute reaxff/atom: bonds yes or bonds no", f"usage: {USAGE}")
        self.gives = Gives(columns=3, local=3 if args and yes_no(args[1], "bonds") else None)

    def setup(self) -> None:
        need_reaxff(self.system, f"compute {self.id}")

    def _strong(self) -> tuple[np.ndarray, np.ndarray]:
        """Sum, lone pairs and number of bonds of this rank's atoms; first id, second id and order of the bonds."""
        system, atoms = self.system, self.system.atoms
        found = bond_orders(system, f"compute {self.id}")
        inside = (atoms.view("mask").get() & self.bit) != 0
        chosen = (found.order > need_reaxff(system, self.id).controls.graph) & inside[found.row] & inside[found.other]
        count = np.bincount(found.row[chosen], minlength=atoms.n)
        values = np.column_stack([found.total, found.lone_pairs, count])
        return values, np.column_stack([atoms.read("id")[found.row], found.partner, found.order])[chosen]

    def peratom(self) -> np.ndarray:
        return self._strong()[0]

    def local(self) -> np.ndarray:
        if self.gives.local is None:
            self._none("local values")
        return self._strong()[1]

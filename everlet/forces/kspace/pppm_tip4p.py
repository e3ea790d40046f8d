"""PPPM of water whose negative charge is beside the oxygen (TIP4P): charges are spread, and forces on them read off, where
the pair style has them; the three atoms of a molecule share the force on M. The virial is that of the mesh: M is a sum of
atoms' places, so that charges and atoms have the same.

    kspace_style pppm/tip4p ACCURACY                    with pair_style tip4p/long or lj/cut/tip4p/long
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from everlet.errors import InputError
from everlet.forces.clearing import CLEAR
from everlet.forces.kspace.base import kspace_style
from everlet.forces.kspace.pppm import Pppm
from everlet.forces.kspace.pppm_term import PppmTerm
from everlet.forces.pair.sites import ChargeSites
from everlet.forces.terms import Term, not_per_atom
from everlet.portable import View, parallel_for
from everlet.state.ledger import Tally

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings


@kspace_style("pppm/tip4p")
class PppmTip4p(Pppm):
    """`water`: types of O and H, and the share a, as the pair style has them."""

    sites = True
    water: tuple[int, int, float]

    def choose(self) -> list[str]:
        waters = list(self.system.pair.waters())
        if len(waters) != 1 or waters[0] is None:
            raise InputError(f"kspace_style {self.name} needs a pair style that has charges beside oxygens, and all of its "
                             "long-range charges in the same way", "use lj/cut/tip4p/long or tip4p/long, or kspace_style pppm")
        self.water = waters[0]
        return super().choose()

    def term(self, exact: bool = False) -> Term:
        return SitesTerm(self, exact)


class SitesTerm(PppmTerm):
    communicates = True

    def __init__(self, solver: PppmTip4p, exact: bool):
        super().__init__(solver, exact)
        self.sites = ChargeSites(self.system, *solver.water, add=True)
        self.sites.label = " of the mesh"
        self.force = View((1, 3), np.float64, self.system.space)

    def rebuilt(self) -> None:
        super().rebuilt()
        self.sites.rebuilt()
        rows = self.system.atoms.view("x").shape[0]
        if self.force.shape[0] != rows:
            self.force = View((rows, 3), np.float64, self.system.space)

    def places(self) -> View:
        return self.sites.view

    def target(self) -> View:
        return self.force

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        if not self.solver.settings.compute:
            return
        self.sites.place(comm)
        parallel_for(self.system.space, self.system.atoms.n, CLEAR, self.force)
        super().compute(tally, comm)
        self.sites.spread(comm, self.force, self.system.atoms.view("f", modify=True))

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        raise not_per_atom(self.name)

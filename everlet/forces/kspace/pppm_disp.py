"""PPPM of charges and of dispersion -C_ij/r^6, with a mesh, an order and a splitting parameter for each.

    kspace_style pppm/disp ACCURACY                     with pair_style lj/long/coul/long or buck/long/coul/long
    kspace_modify gewald/disp G mesh/disp NX NY NZ order/disp N  …

The influence function of dispersion is its spectrum (ewald_disp.py) with the windows of the stencil. Both numbers of
dispersion have to be given; nothing finds them from an accuracy.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from everlet.errors import InputError
from everlet.forces.kspace.base import kspace_style
from everlet.forces.kspace.dispersion import WithDispersion
from everlet.forces.kspace.pppm import LARGEST, Pppm
from everlet.forces.kspace.pppm_error import factorable
from everlet.forces.kspace.pppm_term import PppmTerm
from everlet.forces.kspace.settings import Triple
from everlet.forces.kspace.summands import Charges, Share, fewer
from everlet.forces.terms import Term
from everlet.portable import View
from everlet.state.ledger import Tally

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings


@kspace_style("pppm/disp")
class PppmDisp(WithDispersion, Pppm):
    """After `init` also mesh_disp."""

    title = "PPPMDisp"
    mesh_disp: Triple = (0, 0, 0)
    four_pi = 4.0 * math.pi

    def _need_pair(self) -> None:
        super()._need_pair()
        settings = self.settings
        if self.shares and not (settings.gewald_disp and settings.mesh_disp != (0, 0, 0)):
            raise InputError(f"kspace_style {self.name} needs the splitting parameter and the mesh of dispersion",
                             "use kspace_modify gewald/disp G mesh/disp NX NY NZ, or kspace_style ewald/disp")

    @property
    def g_disp(self) -> float:
        return self.settings.gewald_disp

    def choose(self) -> list[str]:
        lines = [f"  Coulomb {line.strip()}" for line in super().choose()] if self.charges else []
        x, y, z = (factorable(n) for n in self.settings.mesh_disp)
        self.mesh_disp = x, y, z
        if math.prod(self.mesh_disp) > LARGEST:
            raise InputError(f"a mesh of {x} x {y} x {z} points does not fit in memory", "change kspace_modify mesh/disp")
        if self.shares:
            lines += [f"  Dispersion G vector (1/distance)= {self.g_disp:.16g}", f"  Dispersion grid = {x} {y} {z}",
                      f"  Dispersion stencil order = {self.settings.order_disp}"]
        return lines

    def first_g(self, volume: float) -> float:
        return super().first_g(volume) if self.charges else self.g_disp

    def term(self, exact: bool = False) -> Term:
        own: Any = SimpleNamespace(system=self.system, name=self.name, settings=self.settings, order=self.settings.order_disp,
                              mesh=self.mesh_disp, g=self.g_disp, lengths=self.lengths, staggered=False)
        shares = [PppmTerm(own, exact, Share(own, factor, c, self.kinds)) for factor, c in fewer(self.shares)]
        return Together([PppmTerm(self, exact, Charges(self))] * self.charges + shares)


class Together(Term):
    """Terms of a solver as one."""

    phase, part, energies = PppmTerm.phase, PppmTerm.part, PppmTerm.energies

    def __init__(self, terms: list[PppmTerm]):
        self.terms, self.name = terms, terms[0].name

    @property
    def repeatable(self) -> bool:  # type: ignore[override]
        return all(term.repeatable for term in self.terms)

    @property
    def steady(self) -> bool:  # type: ignore[override]
        return all(term.steady for term in self.terms)

    def rebuilt(self) -> None:
        for term in self.terms:
            term.rebuilt()

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        for term in self.terms:
            term.compute(tally, comm)

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        for term in self.terms:
            term.peratom(near, energy, virial)

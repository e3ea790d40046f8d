"""Full lists of charges that are not at their atoms: the loop of all styles, with the places of charges for positions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.pair.schemes.lists import Full
from everlet.forces.pair.sites import ChargeSites
from everlet.forces.pair.special import SpecialTerm
from everlet.neighbor.fixed_point import FixedPositions
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

site_scheme: Registry[type[Scheme]] = Registry("scheme of pair styles of TIP4P", "everlet.forces.pair.schemes")


class InDouble(FixedPositions):
    """Places of charges are not cut into steps."""

    def prepare(self) -> None:
        pass


class SpecialSites(SpecialTerm):
    """Special pairs between charges."""

    def __init__(self, scheme: SitesFull):
        self.scheme, numbers = scheme, scheme.parameters
        super().__init__(scheme.system, numbers.name, [(numbers.name, numbers, numbers.factor)], scheme.sites.rows,
                         scheme.neighbor.exclusions.rules)

    def places(self, where: System) -> View:
        return self.scheme.sites.view

    def target(self) -> View:
        return self.scheme.force


@site_scheme("full")
class SitesFull(Full):
    communicates = True

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.fixed = InDouble(neighbor)
        self.sites: ChargeSites = parameters.sites(system)  # type: ignore[attr-defined]
        self.force = View((1, 3), np.float64, system.space)
        special = SpecialSites(self) if "special" in system.atoms.fields else None
        self.special = special if special is not None and special.needed else None

    special_apart = False  # special pairs are computed here

    def rebuilt(self) -> None:
        super().rebuilt()
        self.sites.label, self.sites.add = self.label, self.adds
        self.sites.rebuilt()
        rows = self.system.atoms.view("x").shape[0]
        if self.force.shape[0] != rows:
            self.force = View((rows, 3), np.float64, self.system.space)
        if self.special is not None:
            self.special.rebuilt()

    def kernel(self, tally: bool, energy: bool = True) -> Kernel:
        made = super().kernel(tally, energy)  # sets forces on charges, in an array of its own
        return replace(made, statics=tuple((name, value if name != "ADD" else False) for name, value in made.statics))

    def arguments(self, sums: View | ScatterView, rows: tuple[View, View] | None = None) -> tuple[Any, ...]:
        found = list(super().arguments(sums, rows))
        found[1] = self.sites.view
        return tuple(found)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        self.sites.place(comm)
        self.launch(self.asked(tally), tally, *self.force_arguments(self.force))
        if self.special is not None:
            self.special.compute(tally, comm)
        self.sites.spread(comm, self.force, self.system.atoms.view("f", modify=True))

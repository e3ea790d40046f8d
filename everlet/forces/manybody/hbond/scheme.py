"""How hydrogen bonds are computed: one item for each atom, which is a donor if a hydrogen is bonded to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.manybody.by_ids import ByIds, ByIdsParameters
from everlet.forces.manybody.hbond import loops
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.pair.special import FIND
from everlet.neighbor.exclusions import Table, left_out
from everlet.neighbor.lists import Neighbor
from everlet.portable import Constants, Kernel, Space, View, parallel_for
from everlet.registry import Registry
from everlet.state.system import System

hbond_scheme: Registry[type[Scheme]] = Registry("scheme of hydrogen bonds", "everlet.forces.manybody.hbond")


class HBondParameters(ByIdsParameters):
    """Numbers of triples: types of the donor, of the acceptor, of the hydrogen."""

    def __init__(self, style: Any, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.radial, self.triple_fields = style.radial, style.triple_fields
        self.triples = View(style.triple_array.size, np.float64, space)
        self.triples.put(style.triple_array.reshape(-1))

    def sharer(self, space: Space) -> type[ByIds]:
        return HBond


@hbond_scheme("full")
class HBond(ByIds):
    special_apart = False  # special pairs are computed here
    parameters: HBondParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: HBondParameters):
        super().__init__(system, neighbor, parameters)
        space, lj = system.space, parameters.weights["lj"]
        self.hydrogen, self.partner, self.found = View(0, np.int32, space), View(0, np.int32, space), View(1, np.float64, space)
        self.rules, self.no_rules = Table(space, neighbor.exclusions.rules.rows), Table(space, ())
        self.weights = Constants(4, space)
        self.weights.set([1.0, *lj])
        self.first, self.levels = (Constants(4, space, np.int64) for _ in range(2))
        self.first.set([0, 1, 0, 0])
        self.levels.set([int(out and w != 0.0) for out, w in zip(left_out(system), (0.0, *lj), strict=True)])

    def rebuilt(self) -> None:
        """Whose hydrogens are whose: ghosts are new."""
        atoms, space, rows = self.system.atoms, self.system.space, self.rows_of_ids()
        special = atoms.view("special")
        if self.hydrogen.shape[0] < atoms.capacity * special.width:
            self.hydrogen, self.partner = (View(atoms.capacity * special.width, np.int32, space) for _ in range(2))
            self.found = View(2 * atoms.capacity, np.float64, space)
        for levels, rules, to in ((self.first, self.no_rules, self.hydrogen), (self.levels, self.rules, self.partner)):
            parallel_for(space, atoms.n, FIND, special.width, special.data, levels.view, rows.view, *rules.arguments(atoms), to,
                         space.control)
        if space.queue is None:
            self.system.need_found("an atom that is bonded to a donor of hydrogen bonds",
                                   "ghosts must reach as far as bonds do: comm_modify cutoff makes that longer")

    @property
    def items(self) -> int:
        return self.system.atoms.n

    def kernel(self, tally: bool, shares: bool = False) -> Kernel:
        par = self.parameters
        return Kernel(loops.hbond_loop, 7 if tally else 0, fields=par.triple_fields, statics=(
            ("radial", par.radial), ("EV", tally), ("SHARES", shares), ("DENSE", self.neighbor.dense),
            ("MANY", self.many), ("NP", len(par.triple_fields)), *self.rounding.items()))

    def arguments(self, factor: float) -> tuple[Any, ...]:
        atoms, near, par = self.system.atoms, self.neighbor, self.parameters
        return (atoms.view("x"), atoms.view("type"), near.neigh, near.count, near.first, near.si, near.sk,
                atoms.view("special").width, self.hydrogen, self.partner, self.weights.view, *self.boxes,
                par.triples, par.kinds, factor, self.found)

    def part_energies(self) -> np.ndarray:
        """How many hydrogen bonds there are, and their energy."""
        return np.asarray(self.found.get()[: 2 * self.system.atoms.n].reshape(-1, 2).sum(axis=0))

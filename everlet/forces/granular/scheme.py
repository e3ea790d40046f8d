"""How granular styles do their work: one loop over grains and those that touch them, from both sides."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.granular import loops
from everlet.forces.granular.contacts import Contacts
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import SETTING_UP, STEPPING, System

granular_scheme: Registry[type[Scheme]] = Registry("scheme of granular styles")


class GranularParameters(Parameters):
    """Numbers of pairs of types, and the law of contacts."""

    by_pairs = False

    def __init__(self, style: Any, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.touch, self.history, self.label, self.near_by = style.touch, style.history, style.label, style.near_by

    def function(self, style: Any) -> Any:
        return 0  # pairs have no function of the distance alone

    def with_factor(self, function: Any) -> Any:
        return 0

    def check_float32(self, style: Any) -> None: ...


@granular_scheme("full")
class Granular(Scheme):
    pairs = "full"
    steady = by_atom = True
    dense = True
    precisions = ("double",)
    parameters: GranularParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: GranularParameters):
        super().__init__(system, neighbor, parameters)
        self.packed = [View((0, 4), np.float64, system.space)] * 2  # of all grains: velocity and mass, R omega and R
        self.contacts = Contacts(system, neighbor, parameters.label, parameters.history, parameters.near_by)

    def _frozen(self) -> int:
        """The bits of grains that do not move."""
        return reduce(or_, (int(fix.bit) for fix in self.system.fixes.values() if fix.style == "freeze"), 0)

    def rebuilt(self) -> None:
        self.contacts.rebuild()
        space, rows = self.system.space, self.system.atoms.view("x").shape[0]
        if space.queue is None and self.packed[0].shape[0] != rows:
            self.packed = [View((rows, 4), np.float64, space) for _ in range(2)]

    def _kernel(self, tally: bool, frozen: bool) -> Kernel:
        par, known = self.parameters, dict(self.parameters.statics)
        statics = (("touch", par.touch), ("HISTORY", par.history), ("WHOLE", par.history > 3), ("FROZEN", frozen),
                   ("EV", tally), ("ADD", self.adds), *((name, known[name]) for name in ("MANY", "NP", "VARIED")))
        return Kernel(loops.contact_loop, 7 * tally, self.system.precision, par.fields, statics=statics, width=1)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        system, atoms, par, contacts, frozen = self.system, self.system.atoms, self.parameters, self.contacts, self._frozen()
        kernel = self._kernel(tally is not None, frozen != 0)
        parallel_for(system.space, self.neighbor.total(), loops.pack, atoms.view("v"), atoms.view("omega"),
                     atoms.view("radius"), atoms.view("rmass"), *self.packed)
        time, keep = system.dt if system.passing == STEPPING else 0.0, int(system.passing >= SETTING_UP)
        arguments = (atoms.view("x"), *self.packed, atoms.view("type"), atoms.view("mask"), frozen, time, keep, contacts.near,
                     contacts.count, contacts.depth, contacts.pitch, contacts.remembered(), par.near_by, par.table, par.kinds,
                     atoms.view("f", modify=True), atoms.view("torque", modify=True))
        if tally is not None:
            tally.reduce(system.space, atoms.n, kernel, *arguments)
        else:
            parallel_for(system.space, atoms.n, kernel, *arguments)

"""How granular styles do their work: one loop over grains and those that touch them, from both sides; on one core contacts
inside of a block of grains are computed once."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from everlet.comm.serial import SerialComm
from everlet.forces.granular import loops, packed_loops
from everlet.forces.granular.contacts import Contacts
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, parallel_for, parallel_team
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import SETTING_UP, STEPPING, System

ROOM = 128  # contacts that are packed together, as far as scratch memory goes
BLOCK, BLOCK_ALONE = 128, 2048  # grains that a thread does in turn, and where there is one thread

granular_scheme: Registry[type[Scheme]] = Registry("scheme of granular styles")


class GranularParameters(Parameters):
    """Numbers of pairs of types, and the law of contacts. many: there are pairs of types with different numbers."""

    by_pairs = False

    def __init__(self, style: Any, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.touch, self.history, self.label, self.near_by = style.touch, style.history, style.label, style.near_by
        self.largest, self.turned_alike = style.largest, style.turned_alike
        names, numbers = self._numbers(style)
        own = numbers[1:, 1:].reshape(-1, len(names))[:, [name not in ("cut2", "offset") for name in names]]
        self.many = style.adapted or bool((own != own[:1]).any())

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
        self.packs = self.packs_on(system)
        self.contacts = Contacts(system, neighbor, parameters.label, parameters.history, parameters.near_by)

    def _frozen(self) -> int:
        """The bits of grains that do not move."""
        return reduce(or_, (int(fix.bit) for fix in self.system.fixes.values() if fix.style == "freeze"), 0)

    def rebuilt(self) -> None:
        self.contacts.rebuild()

    @staticmethod
    def packs_on(system: System) -> bool:
        """Contacts are packed for lanes; not those of many systems, whose sums are of atoms."""
        return system.space.simd and system.members is None

    @property
    def twice(self) -> bool:
        """Contacts inside of a block are computed once for both grains. Not where bits must be the same for any number of
        threads."""
        return self.parameters.turned_alike and self.system.space.threads == 1 and not self.exact

    @property
    def block(self) -> int:
        return BLOCK_ALONE if self.twice else BLOCK

    def _kernel(self, tally: bool, frozen: bool) -> Kernel:
        par, known = self.parameters, dict(self.parameters.statics)
        statics = (("touch", par.touch), ("HISTORY", par.history), ("WHOLE", par.history > 3), ("FROZEN", frozen),
                   ("EV", tally), ("ADD", self.adds), ("MANY", par.many), ("NP", known["NP"]), ("VARIED", known["VARIED"]))
        if self.packs:
            return Kernel(packed_loops.packed_contacts, 7 * tally, self.system.precision, par.fields, league=True,
                          statics=(*statics, ("BLOCK", self.block), ("ROOM", ROOM), ("TWICE", self.twice)))
        return Kernel(loops.contact_loop, 7 * tally, self.system.precision, par.fields, statics=statics, width=1)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        system, atoms, par, contacts, frozen = self.system, self.system.atoms, self.parameters, self.contacts, self._frozen()
        kernel = self._kernel(tally is not None, frozen != 0)
        time, keep = system.dt if system.passing == STEPPING else 0.0, int(system.passing >= SETTING_UP)
        arguments = (atoms.n, atoms.view("x"), atoms.view("v"), atoms.view("omega"), atoms.view("radius"), atoms.view("rmass"),
                     atoms.view("type"), atoms.view("mask"), frozen, time, keep, contacts.near, contacts.count, contacts.depth,
                     contacts.pitch, contacts.remembered(), par.largest, par.near_by, par.table, par.kinds,
                     atoms.view("f", modify=True), atoms.view("torque", modify=True))
        items = -(-atoms.n // self.block) if self.packs else atoms.n
        if tally is not None:
            tally.reduce(system.space, items, kernel, *arguments)
        else:
            (parallel_team if self.packs else parallel_for)(system.space, items, kernel, *arguments)

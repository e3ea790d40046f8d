"""Full lists for styles with a loop of their own, since their pairs need more of two atoms than a distance (own_loops.py).

    class Style(OwnStyle):
        loop = some_loop                     # arguments: those of `OwnFull.arguments`, then what `extra` gives
        def extra(self, atoms): return atoms.view("v"), …
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.pair.schemes.lists import REGISTERS, SEGMENT, team_shape
from everlet.neighbor.lists import Neighbor
from everlet.neighbor.rows import TEAM_PAD
from everlet.portable import Kernel, Portable, Space, View, parallel_for, parallel_team
from everlet.portable.traits import powers
from everlet.registry import Registry
from everlet.state.atoms import Atoms
from everlet.state.ledger import Tally
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.neighbor.surroundings import Surroundings

WHOLE = 1 << 30  # rows have no parts

own_scheme: Registry[type[Scheme]] = Registry("scheme of pair styles with loops of their own", "everlet.forces.pair.schemes")


def ahead(system: System) -> int:
    """Noise of the first forces of a run, and of each step: the clock goes on when forces are there."""
    return int(system.space.queue is not None or system.step > system.run_start)


def torque_of(atoms: Atoms, name: str = "torque") -> View:
    """Torques that a loop adds to; where energies of atoms alone are asked for there are none, and it adds nothing."""
    return atoms.view(name, modify=True) if name in atoms.fields else View((1, 3), np.float64, atoms.space)


def launch(space: Space, n: int, kernel: Kernel, *arguments: Any) -> None:
    (parallel_team if kernel.league else parallel_for)(space, n, kernel, *arguments)


class OwnParameters(Parameters):
    """The numbers of a style with its loop; energies of single atoms are those of the same loop."""

    by_pairs = False

    def __init__(self, style: OwnStyle, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.style, self.sums = style, style.sums  # type: ignore[misc]
        self.nothing = View(1, np.float64, space)
        self.no_rows = View((1, 3), np.float64, space), View((1, 6), np.float64, space)

    @property
    def energies(self) -> tuple[str, ...]:
        return ("vdwl", "coul")[: self.sums - 6]

    def function(self, style: Any) -> Any:
        return 0

    def added(self, style: Any) -> dict[str, np.ndarray]:
        return style.driver_numbers() if style.charged else {}

    def with_factor(self, function: Any) -> Any:
        return 0

    def check_float32(self, style: PairStyle) -> None:
        """Its loops are in double."""

    def kernel(self, team: int = 1, **statics: Any) -> Kernel:
        packed = self.style.width != 1 and self.table.space.simd
        found = {"EV": False, "PERATOM": False, "ADD": False, "SLOTS": False, "DENSE": False, **dict(self.common),
                 "PACKED": packed, "SEGMENT": SEGMENT if packed else WHOLE, "BRANCH": not packed, **self.style.statics(),
                 **statics}
        return Kernel(self.style.loop, self.sums if found["EV"] else 0, "double", self.fields, team, tuple(found.items()),
                      league=packed, registers=REGISTERS, width=self.style.width)

    def peratom(self, near: Surroundings, energy: View, virial: View, factor: float = 1.0) -> None:
        atoms, lists = near.system.atoms, near.neighbor
        launch(near.system.space, near.n, self.kernel(PERATOM=True), atoms.view("x"), atoms.view("type"), lists.neigh,
               lists.count, lists.first, lists.si, lists.sk, self.table, self.kinds, lists.bins.order, self.no_rows[0],
               factor, energy, virial, *self.style.extra(atoms))


class OwnStyle(PairStyle):
    """Base of these styles. `sums`: 7, or 8 with an energy of charges; `newton` makes no difference."""

    schemes: ClassVar[Registry[type[Scheme]]] = own_scheme
    shiftable = False
    loop: ClassVar[Portable]
    sums: ClassVar[int] = 7
    width: ClassVar[int] = 1  # lanes on cores; 0: as many as registers have, for loops without branches
    follows_clock: ClassVar[bool] = False  # its loop reads the number of the step (state/clock.py)

    def statics(self) -> dict[str, Any]:
        """What its loop is compiled with besides."""
        return {}

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        """What its loop takes after the usual arguments."""
        return ()

    def numbers(self, space: Space, precision: str) -> Any:
        return OwnParameters(self, space, precision)


@own_scheme("full")
class OwnFull(Scheme):
    pairs = "full"
    steady = dense = by_atom = True
    precisions = ("double",)
    knobs: ClassVar = {"team": powers(TEAM_PAD)}
    parameters: OwnParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.follows_clock = self.parameters.style.follows_clock

    def kernel(self, tally: bool) -> Kernel:
        dense = self.neighbor.dense
        return self.parameters.kernel(team_shape(self.system.space, self.system.atoms.n, self.team)[0], EV=tally, ADD=self.adds,
                                      SLOTS=dense, DENSE=dense)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, near, par, space = self.system.atoms, self.neighbor, self.parameters, self.system.space
        arguments = (atoms.view("x"), atoms.view("type"), near.neigh, near.count, near.first, near.si, near.sk, par.table,
                     par.kinds, near.bins.order, atoms.view("f", modify=True), 1.0, par.nothing, par.no_rows[1],
                     *par.style.extra(atoms))
        if tally is None:
            launch(space, atoms.n, self.kernel(False), *arguments)
        else:
            tally.reduce(space, atoms.n, self.kernel(True), *arguments)

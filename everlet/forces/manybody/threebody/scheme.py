"""How three-body styles do their work: short rows, tables of neighbours, bonds, forces; one atom on each lane or thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.eam.schemes import ShortRows
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.manybody.threebody import loops, share_loops
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.ahead import narrow
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.kernels import register_lanes
from everlet.portable.language.dtypes import dtype
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.control import TROUBLE
from everlet.state.ledger import Tally
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.threebody.base import ThreeBodyParameters

threebody_scheme: Registry[type[Scheme]] = Registry("scheme of three-body styles")
PITCH = 32  # columns are multiples of so many atoms: of all numbers of lanes
SPARE = 3  # slots more than the most neighbours that an atom had


@threebody_scheme("full")
class ThreeBody(ScatteredScheme):
    steady = True
    parameters: ThreeBodyParameters
    NUMBERS: ClassVar[int] = 7  # of each neighbour: direction, distance and one over it, arm and its slope

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.short = ShortRows(system, neighbor, parameters)
        self.lanes = register_lanes(dtype("real", system.precision)) if system.space.simd else 1
        self.group = self.lanes * (2 if narrow(system.space) else 1)  # atoms of a block: tables are filled by blocks
        self.depth = self.pitch = 0
        self.atom = View(0, np.int32, system.space)
        self.columns: list[View] = []

    # ---- kernels
    def _kernel(self, body: Any, sums: int, *names: str, width: int = 0, scaled: bool = True) -> Kernel:
        """Atoms fill one register: their rows differ in length, and loops hold many numbers of each. Where those are few, two
        registers: the next operation need not wait for the last one.
        """
        par = self.parameters
        found = {"EV": sums > 0, "DENSE": self.neighbor.dense, "LINEAR": par.linear, "SYMMETRIC": par.symmetric,
                 "FADING": par.fading, "ANGLES": par.angles, "GROUP": self.group, **self.rounding,
                 **(par.functions if scaled else par.unscaled)}
        statics = tuple((name, found[name]) for name in (*names, "MANY", "NP", "GROUP"))
        return Kernel(body, sums, self.system.precision, par.triple_fields, statics=statics, width=width or self.lanes)

    @property
    def _tabulate(self) -> Kernel:
        return self._kernel(loops.tabulate, 0, "arm", "DENSE", width=self.group)

    def _bonds(self, tally: bool) -> Kernel:
        return self._kernel(loops.bond_loop, int(tally), "angle", "bond", "EV")

    def _forces(self, tally: bool) -> Kernel:
        return self._kernel(loops.threebody_loop, 7 * tally, "angle", "bond", "EV", "LINEAR", "SYMMETRIC", "FADING",
                            "ANGLES", *self.rounding)

    @property
    def shares(self) -> Kernel:
        """For energies and virials of single atoms."""
        return self._kernel(share_loops.share_loop, 0, "angle", "bond", "LINEAR", "SYMMETRIC", "ANGLES", scaled=False)

    # ---- work
    @property
    def strides(self) -> tuple[int, int]:
        """From slot to slot and from atom to atom. Threads of a GPU read side by side what belongs to one slot; a core has
        all slots of its lanes in one place, or it would write to more pages at a time than it can find.
        """
        return (self.pitch, 1) if self.system.space.many_threads else (self.group, self.depth)

    def _reading(self, columns: int) -> tuple[Any, ...]:
        """What loops over bonds and angles read."""
        atoms, par = self.system.atoms, self.parameters
        return (atoms.n, atoms.view("type"), self.short.count, par.triples, par.data, par.kinds, *self.strides, self.depth,
                self.atom, *self.columns[:columns])

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py)."""
        self.short.fill()
        self._fill_tables()
        parallel_for(self.system.space, -(-self.system.atoms.n // self.lanes), self.shares, *self._reading(self.NUMBERS), out)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space, par = self.system.atoms, self.system.space, self.parameters
        self.short.fill()
        self._fill_tables()
        blocks = -(-atoms.n // self.lanes)
        reading = self._reading(self.NUMBERS + 2)
        if not par.linear:
            if tally is not None:
                tally.reduce(space, blocks, self._bonds(True), *reading)
            else:
                parallel_for(space, blocks, self._bonds(False), *reading)
        with self.forces() as force:
            if tally is not None:
                tally.reduce(space, blocks, self._forces(True), *reading, *self.columns[-3:], force)
            else:
                parallel_for(space, blocks, self._forces(False), *reading, *self.columns[-3:], force)

    def _fill_tables(self) -> None:
        """The tables of neighbours; they are made larger if an atom has more than there is room for."""
        atoms, space, near, par = self.system.atoms, self.system.space, self.neighbor, self.parameters
        if self.pitch < atoms.n + PITCH or self.pitch > 2 * (atoms.n + PITCH):
            self.pitch, self.depth = (int(1.1 * atoms.n) // PITCH + 2) * PITCH, 0
        while True:
            if not self.depth:
                self._reserve()
            parallel_for(space, -(-atoms.n // self.group), self._tabulate, atoms.n, atoms.view("x"), atoms.view("type"),
                         self.short.neigh, self.short.count, near.first, near.si, near.sk, near.filler, par.triples,
                         par.data, par.kinds, self.depth, *self.strides, space.place, space.control, self.atom,
                         *self.columns[: self.NUMBERS])
            if space.queue is not None or not space.read_control()[TROUBLE]:
                return
            space.reset_control()
            self.depth = 0

    def _reserve(self) -> None:
        atoms, space = self.system.atoms, self.system.space
        counts = space.to_host(self.short.count.data[: atoms.n])
        self.depth = int(counts.max(initial=0)) + SPARE
        real = dtype("real", self.system.precision)
        self.atom = View(self.depth * self.pitch, np.int32, space)
        whole = self.depth * self.pitch
        sizes = [*[whole] * self.NUMBERS, *[1 if self.parameters.linear else whole] * 2, *[whole] * 3]
        self.columns = [View(size, real, space) for size in sizes]  # …, what bonds make of angles, slopes with places

"""Schemes whose atoms are found by their ids, not in rows of neighbours alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everlet.comm.serial import SerialComm
from everlet.forces.bonded.driver import rows_near
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.pair.parameters import Parameters
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.scatter_view import ScatterView
from everlet.state.ledger import Tally
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.neighbor.surroundings import Surroundings


class ByIdsParameters(SharedParameters):
    of_distance = False

    def sharing(self, near: Surroundings) -> ByIds:
        made = super().sharing(near)
        assert isinstance(made, ByIds)
        made.near = near
        return made


class ByIds(ScatteredScheme):
    precisions = ("double",)
    steady = True
    near: Surroundings | None = None  # whose atoms it is for, if these are not those of the run

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.rows = RowsOfIds(system)

    def rows_of_ids(self) -> RowsOfIds:
        """As they are now."""
        if self.near is not None:
            return rows_near(self.near)
        self.rows.update()
        return self.rows

    @property
    def items(self) -> int:
        """Of its loop."""
        raise NotImplementedError

    def kernel(self, tally: bool, shares: bool = False) -> Kernel:
        raise NotImplementedError

    def arguments(self, factor: float) -> tuple[Any, ...]:
        """What the loop reads, and how often forces and virial count."""
        raise NotImplementedError

    @property
    def many(self) -> bool:
        """These are atoms of many systems."""
        return self.system.members is not None

    @property
    def boxes(self) -> tuple[View, View]:
        """Of which system each atom is (read if there are many), and the boxes."""
        return self.system.atoms.view("member" if self.many else "type"), self.system.box_view()

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        space, arguments = self.system.space, self.arguments(self.parameters.factor)
        with self.forces() as force:
            if tally is None:
                parallel_for(space, self.items, self.kernel(False), *arguments, force)
            else:
                tally.reduce(space, self.items, self.kernel(True), *arguments, force)

    def share(self, out: ScatterView) -> None:
        self.rebuilt()
        parallel_for(self.system.space, self.items, self.kernel(False, shares=True), *self.arguments(1.0), out)

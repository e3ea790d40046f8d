"""How listed pairs are computed: one item each. Lists of neighbours are not read; ghosts reach as far as the cutoff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import RunError
from everlet.forces.bonded.driver import rows_near
from everlet.forces.listed import loops
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.neighbor.surroundings import Surroundings

listed_scheme: Registry[type[Scheme]] = Registry("scheme of listed pairs", "everlet.forces.listed")


class ListedParameters(SharedParameters):
    """The pairs of the file: ids, forms, numbers."""

    of_distance = False

    def __init__(self, style: Any, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.check, self.count = style.check, len(style.forms)
        given = np.asarray(style.ids, np.int64).reshape(-1, 2)
        self.first, self.second = (View(max(self.count, 1), np.int64, space) for _ in range(2))
        self.forms = View(max(self.count, 1), np.int32, space)
        self.numbers = View(max(self.count, 1) * loops.NUMBERS, np.float64, space)
        if self.count:
            self.first.put(np.ascontiguousarray(given[:, 0]))
            self.second.put(np.ascontiguousarray(given[:, 1]))
            self.forms.put(np.array(style.forms, np.int32))
            self.numbers.put(style.table_of_pairs().ravel())

    def sharing(self, near: Surroundings) -> Listed:
        return Listed(near.system, near.dense, self, near)


@listed_scheme("full")
class Listed(ScatteredScheme):
    """`near`: the surroundings whose atoms it is for, if these are not those of the run."""

    precisions = ("double",)
    steady = True
    special_apart = False  # pairs are what the file says, whatever links them
    parameters: ListedParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: ListedParameters, near: Surroundings | None = None):
        super().__init__(system, neighbor, parameters)
        self.near, self.rows = near, RowsOfIds(system)
        self.atoms_of = View(2 * max(parameters.count, 1), np.int32, system.space)

    @property
    def on_ghosts(self) -> bool:
        return False

    def rebuilt(self) -> None:
        """Where the atoms of pairs are: ghosts are new."""
        atoms, space, par = self.system.atoms, self.system.space, self.parameters
        rows = self.rows if self.near is None else rows_near(self.near)
        if self.near is None:
            rows.update()
        find = Kernel(loops.find_listed, statics=(("CHECK", par.check),))
        parallel_for(space, par.count, find, atoms.n, rows.view.shape[0] - 1, par.first, par.second, rows.view, self.atoms_of,
                     space.control)
        if space.queue is None and self.system.troubled():
            raise RunError(f"an atom of a pair of pair style list is not to be found at step {self.system.step}",
                           "a longer cutoff of pair style list makes ghosts reach farther; nocheck passes over such pairs")

    def kernel(self, tally: bool, shares: bool = False) -> Kernel:
        return Kernel(loops.listed_loop, 7 if tally else 0, statics=(
            ("EV", tally), ("SHARES", shares), ("MANY", self.system.members is not None), *self.rounding.items()))

    def arguments(self, factor: float) -> tuple[Any, ...]:
        atoms, par = self.system.atoms, self.parameters
        member = atoms.view("member" if self.system.members is not None else "type")
        return (atoms.n, atoms.view("x"), member, self.system.box_view(), self.atoms_of, par.forms, par.numbers, factor)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        space, par = self.system.space, self.parameters
        with self.forces() as force:
            if tally is None:
                parallel_for(space, par.count, self.kernel(False), *self.arguments(par.factor), force)
            else:
                tally.reduce(space, par.count, self.kernel(True), *self.arguments(par.factor), force)

    def share(self, out: ScatterView) -> None:
        self.rebuilt()
        parallel_for(self.system.space, self.parameters.count, self.kernel(False, shares=True), *self.arguments(1.0), out)

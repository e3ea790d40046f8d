"""How listed pairs are computed: one item each. Lists of neighbours are not read; ghosts reach as far as the cutoff."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.listed import loops
from everlet.forces.manybody.by_ids import ByIds, ByIdsParameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.registry import Registry
from everlet.state.system import System

listed_scheme: Registry[type[Scheme]] = Registry("scheme of listed pairs", "everlet.forces.listed")


class ListedParameters(ByIdsParameters):
    """The pairs of the file: ids, forms, numbers."""

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

    def sharer(self, space: Space) -> type[ByIds]:
        return Listed


@listed_scheme("full")
class Listed(ByIds):
    special_apart = False  # pairs are what the file says, whatever links them
    parameters: ListedParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: ListedParameters):
        super().__init__(system, neighbor, parameters)
        self.atoms_of = View(2 * max(parameters.count, 1), np.int32, system.space)

    @property
    def on_ghosts(self) -> bool:
        return False

    def rebuilt(self) -> None:
        """Where the atoms of pairs are: ghosts are new."""
        atoms, space, par, rows = self.system.atoms, self.system.space, self.parameters, self.rows_of_ids()
        find = Kernel(loops.find_listed, statics=(("CHECK", par.check),))
        parallel_for(space, par.count, find, atoms.n, rows.view.shape[0] - 1, par.first, par.second, rows.view, self.atoms_of,
                     space.control)
        if space.queue is None:
            self.system.need_found("an atom of a pair of pair style list", "a longer cutoff of pair style list makes ghosts "
                                   "reach farther; nocheck passes over such pairs")

    @property
    def items(self) -> int:
        return self.parameters.count

    def kernel(self, tally: bool, shares: bool = False) -> Kernel:
        return Kernel(loops.listed_loop, 7 if tally else 0, statics=(
            ("EV", tally), ("SHARES", shares), ("MANY", self.many), *self.rounding.items()))

    def arguments(self, factor: float) -> tuple[Any, ...]:
        atoms, par = self.system.atoms, self.parameters
        return (atoms.n, atoms.view("x"), *self.boxes, self.atoms_of, par.forms, par.numbers, factor)


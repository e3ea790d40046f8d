"""Schemes of potentials whose loops go over full short rows, one atom after the other: an atom's own energy, with half of its
pairs, gives the forces on it and on its neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.eam.schemes import ShortRows
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.pair.parameters import Parameters
from everlet.neighbor.lists import Neighbor
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.portable.kernels import register_lanes
from everlet.portable.language.dtypes import dtype
from everlet.portable.scatter_view import ScatterView
from everlet.state.ledger import Tally
from everlet.state.system import System


class OwnRows(ScatteredScheme):
    """`launch` runs the loops, with `run`."""

    steady = True
    precisions = ("double",)
    shares = False  # energies and virials of atoms are wanted, not forces
    near: Surroundings  # then: whose atoms these are

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.rows = ShortRows(system, neighbor, parameters)
        self.none = View(1, np.float64, system.space)
        self.width = register_lanes(dtype("real", system.precision)) if system.space.simd else 0

    def _kernel(self, body: Any, sums: int, more: dict[str, Any]) -> Kernel:
        par, space = self.parameters, self.system.space
        found = {"EV": sums > 0, "DENSE": self.neighbor.dense, "SHARES": self.shares, "MANY": par.kinds > 2,
                 "NP": len(par.fields), **more}
        team = self.team or space.team(self.system.atoms.n, self.neighbor.pad)
        return Kernel(body, sums, self.system.precision, par.fields, team, statics=tuple(found.items()), width=self.width)

    @property
    def giving(self) -> dict[str, Any]:
        """Statics of loops that give forces."""
        return {"SCALED": self.parameters.scaled and not self.shares, **self.rounding}

    def reading(self) -> tuple[Any, ...]:
        """What all loops begin with: places and types, rows, parameters."""
        near, atoms, par = self.neighbor, self.system.atoms, self.parameters
        return (atoms.view("x"), atoms.view("type"), self.rows.neigh, self.rows.count, near.first, near.si, near.sk,
                near.filler, par.table, par.data, par.kinds)

    def run(self, tally: Tally | None, body: Any, sums: int, more: dict[str, Any], *given: Any, at: int = 0) -> None:
        """A loop over atoms, with so many sums if there is a tally, of which they are part from number `at` on."""
        space, n = self.system.space, self.system.atoms.n
        if tally is None or not sums:
            parallel_for(space, n, self._kernel(body, 0, more), *self.reading(), *given)
        else:
            tally.reduce(space, n, self._kernel(body, sums, more), *self.reading(), *given, at=at)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        with self.forces() as force:
            self.launch(tally, comm, force, self.none)

    def launch(self, tally: Tally | None, comm: SerialComm, force: ScatterView, own: Any) -> None:
        raise NotImplementedError

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py): half of the virial of each pair for both."""
        self.launch(None, self.near.comm, out, out.view.data)


class OwnRowsParameters(SharedParameters):
    """`worker` is the class of the scheme."""

    worker: type[OwnRows]

    def sharer(self, space: Space) -> type[OwnRows]:
        return self.worker

    def sharing(self, near: Surroundings) -> OwnRows:
        made = super().sharing(near)
        assert isinstance(made, OwnRows)
        made.near = near
        return made

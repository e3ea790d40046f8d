"""Forces from differences of energies: a check of those that are computed."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "fix ID group numdiff N DELTA"
PHASES = ("Pair", "Bond", "Kspace")


@fix_style("numdiff")
class Numdiff(Fix):
    """fix ID group numdiff N DELTA: f_ID[1-3] of atoms of the group, every N steps and when a run is set up:
    -[E(x + DELTA) - E(x - DELTA)] / (2 DELTA), E of pairs, links and the long-range solver; 0 for others. Six times as many
    energies of the whole system as there are atoms in the group."""

    gives = Gives(columns=3)
    reads = ("x", "mask", "id")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, 2, USAGE)
        self.every, self.delta = every_steps(args[0], "fix numdiff"), number(args[1], "a distance")
        if self.delta <= 0.0:
            raise InputError(f"fix numdiff: distance {args[1]}", "give one above zero, such as 1e-4")
        self.add_field("force", width=3)

    def setup(self) -> None:
        self.end_of_step()

    def end_of_step(self) -> None:
        system, atoms, user = self.system, self.system.atoms, f"fix {self.id}"
        if system.evaluator.neighbor.system is not system:
            raise InputError(f"{user}: pair styles run on the host", "leave out the suffix /host")
        forces, x = np.zeros((atoms.n, 3)), atoms.read("x").copy()
        rows = {int(atoms.read("id")[row]): row for row in np.flatnonzero(atoms.read("mask") & self.bit).tolist()}
        for id in sorted(one for some in system.ranks.all_of(sorted(rows)) for one in some):
            for axis in range(system.dimension):
                high, low = (self._energy(x, rows.get(id), axis, step) for step in (self.delta, -self.delta))
                if id in rows:
                    forces[rows[id], axis] = (low - high) / (2.0 * self.delta)
        self._put(x)
        atoms.edit(self.field("force"))[:] = forces

    def _energy(self, x: np.ndarray, row: int | None, axis: int, step: float) -> float:
        """Of all ranks, with one atom elsewhere, which this rank may have."""
        moved = x
        if row is not None:
            moved = x.copy()
            moved[row, axis] += step
        self._put(moved)
        return float(self.system.evaluator.energies_of(PHASES))

    def _put(self, x: np.ndarray) -> None:
        self.system.atoms.edit("x")[:] = x
        self.system.evaluator.forward()

    def peratom(self) -> np.ndarray:
        return self.system.atoms.read(self.field("force"))

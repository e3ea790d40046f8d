"""Neighbour-list schemes.

full   one row per atom with all its neighbours; every pair is computed from both sides, nobody writes to others' forces
half   every pair once; the opposite force is added to the neighbour (directly, to a copy per thread, or atomically)
"""

from __future__ import annotations

import numpy as np

from everlet.forces.pair import loops
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.neighbor.fixed_point import FixedPositions
from everlet.neighbor.lists import Neighbor, team_for
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.scatter import ScatterView
from everlet.state.system import System


def gpu_shape(atoms: int, team: int = 0) -> tuple[int, int]:
    """(threads per atom, neighbours that each reads ahead): few atoms need many threads to keep a GPU busy."""
    team = team or team_for(atoms, 16)
    return team, max(1, min(4, 16 // team))


class ListScheme(Scheme):
    """Lanes along the row of one atom."""

    branches = True
    steady = True
    gpu_options = True

    def kernel(self, tally: bool) -> Kernel:
        full, target = self.pairs == "full", self.system.space.target
        # of several lanes, and of the threads of a warp, one is nearly always within the cutoff; atomics are dear
        branch = (target == "plain" or (target == "cuda" and not full)) if self.branch is None else self.branch
        team, ahead = gpu_shape(self.system.atoms.n, self.team) if target == "cuda" else (1, 1)
        statics = (*self.parameters.statics, ("EV", tally), ("FULL", full), ("NEWTON", self.system.newton),
                   ("SHARE", 0.5 if full else 1.0), ("BRANCH", branch), ("AHEAD", ahead),
                   ("FIXED", self.fixed.used),
                   ("SPLIT", self.system.precision == "mixed"), ("FLUSH", 8 if target == "cpu" else 1))
        return Kernel(loops.neighbor_loop, 7 if tally else 0, self.system.precision, self.parameters.fields, team, statics,
                      carveout=self.carveout)

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.fixed = FixedPositions(neighbor)

    def kernels(self) -> list[Kernel]:
        self.fixed.prepare()
        return [self.kernel(False), self.kernel(True), *self.fixed.kernels()]

    def rebuilt(self) -> None:
        self.fixed.prepare()

    def launch(self, tally: bool, force: View | ScatterView) -> np.ndarray:
        system, atoms, near, par = self.system, self.system.atoms, self.neighbor, self.parameters
        if self.fixed.used:
            self.fixed.update()
        args = (atoms.n, atoms.view("x"), self.fixed.view, self.fixed.length, atoms.view("type"), near.neigh, near.count,
                near.si, near.sk, par.table, par.data, par.kinds, force)
        if tally:
            return parallel_reduce(system.space, atoms.n, self.kernel(True), *args)
        parallel_for(system.space, atoms.n, self.kernel(False), *args)
        return np.zeros(0)


    def bytes(self) -> int:
        return self.fixed.view.data.nbytes


@pair_scheme("full")
class Full(ListScheme):
    pairs = "full"

    def compute(self, tally: bool) -> np.ndarray:
        return self.launch(tally, self.system.atoms.view("f", modify=True))


@pair_scheme("half")
class Half(ListScheme):
    pairs = "half"
    scatter: ScatterView | None = None

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), *ScatterView(self.system.atoms.view("f")).kernels()]

    def compute(self, tally: bool) -> np.ndarray:
        atoms = self.system.atoms
        force = atoms.view("f", modify=True)
        if self.scatter is None or self.scatter.target is not force:
            self.scatter = ScatterView(force)
        rows = atoms.total if self.system.newton else atoms.n
        if self.system.space.target == "cuda" and self.system.newton:
            rows = atoms.capacity  # how many ghosts there are may be known on the GPU alone
        self.scatter.reset(rows)
        sums = self.launch(tally, self.scatter)
        self.scatter.collect(rows)
        return sums

    def bytes(self) -> int:
        copies = self.scatter is not None and self.scatter.copy_size
        return super().bytes() + (self.scatter.view.data.nbytes if copies else 0)  # type: ignore[union-attr]

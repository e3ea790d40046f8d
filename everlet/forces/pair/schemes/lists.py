"""Neighbour-list schemes.

full   one row per atom with all its neighbours; every pair is computed from both sides, nobody writes to others' forces
half   every pair once; the opposite force is added to the neighbour (directly, to a copy per thread, or atomically)
"""

from __future__ import annotations

import numpy as np

from everlet.forces.pair import loops
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.scatter import ScatterView


class ListScheme(Scheme):
    """Lanes along the row of one atom."""

    branches = True
    packed = True

    def kernel(self, tally: bool) -> Kernel:
        full = self.pairs == "full"
        scalars = self.system.space.target != "cpu"  # of several lanes one is nearly always within the cutoff
        branch = scalars if self.branch is None else self.branch
        statics = (*self.parameters.statics, ("EV", tally), ("FULL", full), ("NEWTON", self.system.newton),
                   ("SHARE", 0.5 if full else 1.0), ("BRANCH", branch), ("PACKED", self.neighbor.packed))
        return Kernel(loops.neighbor_loop, 7 if tally else 0, self.system.precision, self.parameters.fields, statics=statics)

    def kernels(self) -> list[Kernel]:
        return [self.kernel(False), self.kernel(True)]

    def launch(self, tally: bool, force: View | ScatterView) -> np.ndarray:
        system, atoms, near, par = self.system, self.system.atoms, self.neighbor, self.parameters
        args = (atoms.n, atoms.view("x"), atoms.view("type"), near.neigh, near.count, near.first, near.si, near.sk,
                par.table, par.data, par.kinds, force)
        if tally:
            return parallel_reduce(system.space, atoms.n, self.kernel(True), *args)
        parallel_for(system.space, atoms.n, self.kernel(False), *args)
        return np.zeros(0)


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
        self.scatter.reset(rows)
        sums = self.launch(tally, self.scatter)
        self.scatter.collect(rows)
        return sums

    def bytes(self) -> int:
        return self.scatter.view.data.nbytes if self.scatter is not None and self.scatter.copy_size else 0

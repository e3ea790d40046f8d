"""The pair driver: runs any pair style over a neighbour list on any space, and tallies energy and virial on demand."""

from __future__ import annotations

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.pair import loops
from everlet.forces.pair.base import PairStyle
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, View, parallel_for, parallel_reduce
from everlet.portable.kinds import dtype
from everlet.portable.scatter import ScatterView
from everlet.state.system import System


class Parameters:
    """A style's numbers in a space's memory, and the statics its kernels are compiled with."""

    def __init__(self, style: PairStyle, space: Space, precision: str):
        style.init()
        real = dtype("real", precision)
        n = style.system.ntypes
        self.kinds = n + 1
        self.fields = (*style.fields, "cut2", "offset")
        numbers = np.concatenate([style.table_array, style.cutoffs[..., None] ** 2, style.offset[..., None]], axis=2)
        self.table = View(numbers.size, real, space)
        self.table.put(numbers.reshape(-1))
        self.data = View(max(style.data.size, 1), real, space)
        if style.data.size:
            self.data.put(style.data)
        self.statics = (("pair", style.pair_function()), ("MANY", n > 1), ("DATA", style.uses_data), ("NP", len(self.fields)))


class PairDriver:
    """Forces of one pair style on one system."""

    def __init__(self, system: System, style: PairStyle, neighbor: Neighbor):
        self.system, self.neighbor = system, neighbor
        self.parameters = Parameters(style, system.space, system.precision)
        self.scatter: ScatterView | None = None

    def kernel(self, tally: bool) -> Kernel:
        full = self.neighbor.kind == "full"
        statics = (*self.parameters.statics, ("EV", tally), ("FULL", full), ("NEWTON", self.system.newton),
                   ("SHARE", 0.5 if full else 1.0), ("BRANCH", self.system.space.target != "cpu"))
        return Kernel(loops.neighbor_loop, 7 if tally else 0, self.system.precision, self.parameters.fields, statics=statics)

    def kernels(self) -> list[Kernel]:
        """What this part compiles, for compiling ahead."""
        return [self.kernel(False), self.kernel(True)]

    def compute(self, tally: bool) -> None:
        """Forces on owned atoms (and on ghosts, when newton is on); with `tally` also energy and virial."""
        system, atoms, near, par = self.system, self.system.atoms, self.neighbor, self.parameters
        full = near.kind == "full"
        force = atoms.view("f", modify=True)
        rows = atoms.n if full or not system.newton else atoms.total
        target: View | ScatterView = force
        if not full:
            if self.scatter is None or self.scatter.target is not force:
                self.scatter = ScatterView(force)
            self.scatter.reset(rows)
            target = self.scatter
        args = (atoms.n, atoms.view("x"), atoms.view("type"), near.neigh, near.count, near.si, near.sk, par.table, par.data,
                par.kinds, target)
        kernel = self.kernel(tally)
        if tally:
            sums = parallel_reduce(system.space, atoms.n, kernel, *args)
            system.energies["vdwl"] = float(sums[0])
            system.virial[:] = sums[1:]
        else:
            parallel_for(system.space, atoms.n, kernel, *args)
        if self.scatter is not None and not full:
            self.scatter.collect(rows)

    def reverse(self, comm: SerialComm) -> None:
        """Send forces on ghosts home, if the list gave them any."""
        if self.system.newton and self.neighbor.kind == "half":
            comm.reverse(self.system)


def evaluate(style: PairStyle, r2: np.ndarray, space: Space, precision: str = "double", i: int = 1, j: int = 1
             ) -> tuple[np.ndarray, np.ndarray]:
    """F/r and E of types i, j at squared distances, computed in `space`: for checks. The shift is not included."""
    par = Parameters(style, space, precision)
    n = len(r2)
    points = View(n, dtype("real", precision), space)
    points.put(r2)
    force, energy = (View(n, dtype("accum", precision), space) for _ in range(2))
    kernel = Kernel(loops.evaluate, 0, precision, par.fields, statics=par.statics)
    parallel_for(space, n, kernel, points, par.table, par.data, i, j, par.kinds, force, energy)
    return force.get(), energy.get()

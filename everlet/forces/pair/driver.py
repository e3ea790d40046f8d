"""The pair driver: runs any pair style in any scheme on any space; energy and virial are tallied on demand."""

from __future__ import annotations

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.forces.pair import loops
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.portable.kernels import lane_width
from everlet.portable.kinds import dtype
from everlet.state.system import System

FEW_THREADS = 4  # up to so many, private copies of the forces are cheaper than computing every pair twice


def default_scheme(space: Space) -> str:
    """Half lists on few CPU threads (fewest pairs), full lists where many threads would write to one atom."""
    return "half" if space.target != "cuda" and space.threads <= FEW_THREADS else "full"


class PairDriver:
    """Forces of one pair style on one system, computed by a scheme."""

    def __init__(self, system: System, style: PairStyle, neighbor: Neighbor, scheme: str, branch: bool | None = None):
        self.system, kind = system, pair_scheme[scheme]
        if system.precision not in kind.precisions:
            raise InputError(f"scheme {scheme} is not accurate enough in {system.precision} precision",
                             f"use --precision {' or '.join(kind.precisions)}, or another scheme")
        if branch is not None and not kind.branches:
            raise InputError(f"scheme {scheme} applies the cutoff in one way only", "leave out 'branch yes|no'")
        parameters = Parameters(style, system.space, system.precision)
        self.scheme: Scheme = kind(system, neighbor, parameters)
        self.scheme.branch = branch

    def kernels(self) -> list[Kernel]:
        """What this part compiles, for compiling ahead."""
        return self.scheme.kernels()

    def rebuilt(self) -> None:
        """The neighbour list or the bins are new."""
        self.scheme.rebuilt()

    def compute(self, tally: bool) -> None:
        """Forces on owned atoms (and on ghosts, if the scheme leaves some there); with `tally` energy and virial."""
        sums = self.scheme.compute(tally)
        if tally:
            sums = self.system.parts.sum(sums)
            self.system.energies["vdwl"] = float(sums[0])
            self.system.virial[:] = sums[1:]

    def reverse(self, comm: SerialComm) -> None:
        """Send forces on ghosts home, if the scheme gave them any."""
        if self.scheme.on_ghosts:
            comm.reverse(self.system)


def evaluate(style: PairStyle, r2: np.ndarray, space: Space, precision: str = "double", i: int = 1, j: int = 1
             ) -> tuple[np.ndarray, np.ndarray]:
    """F/r and E of types i, j at squared distances, computed in `space`: for checks. The shift is not included."""
    par = Parameters(style, space, precision)
    width = lane_width(space.target, precision)
    steps = -(-len(r2) // width)
    points = View(steps * width, dtype("real", precision), space)
    points.put(np.pad(r2, (0, steps * width - len(r2)), mode="edge"))
    force, energy = (View(steps * width, dtype("accum", precision), space) for _ in range(2))
    kernel = Kernel(loops.evaluate, 0, precision, par.fields, statics=par.statics)
    parallel_for(space, steps, kernel, points, par.table, par.data, i, j, par.kinds, force, energy)
    return force.get()[: len(r2)], energy.get()[: len(r2)]

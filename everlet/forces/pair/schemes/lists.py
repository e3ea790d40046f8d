"""Neighbour-list schemes.

full   one row per atom with all its neighbours; every pair is computed from both sides, nobody writes to others' forces
half   every pair once; the opposite force is added to the neighbour. On CPUs threads take turns (coloured) or have a copy
       of the forces each (duplicated), on GPUs sums are atomic
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair import loops
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme, SchemeOptions, pair_scheme
from everlet.forces.pair.schemes.slabs import ListSlabs
from everlet.neighbor.fixed_point import FixedPositions
from everlet.neighbor.lists import Neighbor, team_for
from everlet.portable import Kernel, Space, View, parallel_for, parallel_reduce
from everlet.portable.scatter import ScatterView
from everlet.state.system import System


def gpu_shape(atoms: int, team: int = 0) -> tuple[int, int]:
    """(threads per atom, neighbours that each reads ahead): few atoms need many threads to keep a GPU busy."""
    team = team or team_for(atoms, 16)
    return team, max(1, min(4, 16 // team))


class ListScheme(Scheme):
    """Lanes along the row of one atom."""

    takes: ClassVar[tuple[str, ...]] = ("branch",)
    steady = dense = True
    slabs: ListSlabs | None = None  # rows are taken slab by slab
    gpu_options = True

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.fixed = FixedPositions(neighbor)

    def kernel(self, tally: bool) -> Kernel:
        full, target, branch = self.pairs == "full", self.system.space.target, self.options.branch
        if branch is None:  # of several lanes, and of the threads of a warp, one is nearly always near; atomics are dear
            branch = target == "plain" or (target == "cuda" and not full)
        team, ahead = gpu_shape(self.system.atoms.n, self.team) if target == "cuda" else (1, 1)
        statics = (*self.parameters.statics, ("EV", tally), ("FULL", full), ("NEWTON", self.system.newton),
                   ("SHARE", 0.5 if full else 1.0), ("BRANCH", branch), ("AHEAD", ahead), ("FIXED", self.fixed.used),
                   ("SPLIT", self.system.precision == "mixed"), ("FLUSH", 8 if target == "cpu" else 1),
                   ("SLOTS", self.slabs is not None), ("DENSE", self.neighbor.dense))
        return Kernel(loops.neighbor_loop, 7 if tally else 0, self.system.precision, self.parameters.fields, team, statics,
                      fast=self.parameters.fast, carveout=self.carveout)

    def kernels(self) -> list[Kernel]:
        self.fixed.prepare()
        return [self.kernel(False), self.kernel(True), *self.fixed.kernels()]

    def rebuilt(self) -> None:
        self.fixed.prepare()

    def arguments(self, force: View | ScatterView) -> tuple[Any, ...]:
        """What the loop reads and writes; positions in steps are brought up to date."""
        if self.fixed.used:
            self.fixed.update()
        atoms, near, par = self.system.atoms, self.neighbor, self.parameters
        order = self.slabs.order if self.slabs is not None else near.bins.order
        return (atoms.n, atoms.view("x"), self.fixed.view, self.fixed.length, atoms.view("type"), near.neigh, near.count,
                near.first, near.si, near.sk, par.table, par.data, par.kinds, force, order)

    def launch(self, tally: bool, force: View | ScatterView) -> np.ndarray:
        space, n = self.system.space, self.system.atoms.n
        if tally:
            return parallel_reduce(space, n, self.kernel(True), *self.arguments(force))
        parallel_for(space, n, self.kernel(False), *self.arguments(force))
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

    @classmethod
    def repeatable(cls, space: Space, options: dict[str, Any]) -> dict[str, Any]:
        if space.target == "cuda":
            raise InputError("scheme half adds up forces on a GPU in no fixed order", "use scheme full, which is deterministic")
        if options["accumulate"] == "duplicated":
            raise InputError("the sums of 'accumulate duplicated' depend on the number of threads",
                             "use accumulate coloured, or leave out 'deterministic on'")
        return options | {"accumulate": "coloured"}

    takes = ("branch", "accumulate")

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.slabs = ListSlabs(system, neighbor) if system.space.target != "cuda" else None
        self.coloured = False
        self.scatter: ScatterView | None = None

    def choose(self, options: SchemeOptions) -> None:
        super().choose(options)
        if self.slabs is None and options.accumulate:
            raise InputError(f"accumulate {options.accumulate} is for CPUs: a GPU adds atomically",
                             "leave it out, or use --device cpu")

    def kernels(self) -> list[Kernel]:
        others = self.slabs.kernels() if self.slabs is not None else []
        return [*super().kernels(), *others, *ScatterView(self.system.atoms.view("f")).kernels()]

    def rebuilt(self) -> None:
        super().rebuilt()
        if self.slabs is not None:
            self.slabs.rebuild()
            wanted, threads = self.options.accumulate, self.system.space.threads
            self.coloured = wanted == "coloured" or (wanted is None and self.slabs.enough(threads))

    def compute(self, tally: bool) -> np.ndarray:
        if self.coloured and self.slabs is not None:
            force = self.slabs.clear_forces()
            return self.slabs.launch(self.kernel(tally), self.slabs.edges.data, *self.arguments(force))
        atoms = self.system.atoms
        target = atoms.view("f", modify=True)
        if self.scatter is None or self.scatter.target is not target:
            self.scatter = ScatterView(target)
        rows = atoms.total if self.system.newton else atoms.n
        space = self.system.space
        if self.system.newton and (space.target == "cuda" or space.queue is not None):
            rows = atoms.capacity  # how many ghosts there are is known to the device alone
        self.scatter.reset(rows)
        sums = self.launch(tally, self.scatter)
        self.scatter.collect(rows)
        return sums

    def bytes(self) -> int:
        copies = self.scatter.view.data.nbytes if self.scatter is not None and self.scatter.copy_size else 0
        return super().bytes() + copies + (self.slabs.order.data.nbytes if self.slabs is not None else 0)

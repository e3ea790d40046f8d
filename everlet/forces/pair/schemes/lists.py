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
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.scatter import ScatterView
from everlet.state.system import System


class ListScheme(Scheme):
    """Lanes along the row of one atom."""

    takes: ClassVar[tuple[str, ...]] = ("branch",)
    slabs: ListSlabs | None = None  # rows are taken slab by slab

    def kernel(self, tally: bool) -> Kernel:
        full = self.pairs == "full"
        scalars = self.system.space.target != "cpu"  # of several lanes one is nearly always within the cutoff
        branch = scalars if self.options.branch is None else self.options.branch
        statics = (*self.parameters.statics, ("EV", tally), ("FULL", full), ("NEWTON", self.system.newton),
                   ("SHARE", 0.5 if full else 1.0), ("BRANCH", branch), ("SLOTS", self.slabs is not None))
        return Kernel(loops.neighbor_loop, 7 if tally else 0, self.system.precision, self.parameters.fields, statics=statics)

    def kernels(self) -> list[Kernel]:
        return [self.kernel(False), self.kernel(True)]

    def arguments(self, force: View | ScatterView) -> tuple[Any, ...]:
        atoms, near, par = self.system.atoms, self.neighbor, self.parameters
        order = self.slabs.order if self.slabs is not None else near.bins.order
        return (atoms.n, atoms.view("x"), atoms.view("type"), near.neigh, near.count, near.si, near.sk, par.table, par.data,
                par.kinds, force, order)

    def launch(self, tally: bool, force: View | ScatterView) -> np.ndarray:
        space, n = self.system.space, self.system.atoms.n
        if tally:
            return parallel_reduce(space, n, self.kernel(True), *self.arguments(force))
        parallel_for(space, n, self.kernel(False), *self.arguments(force))
        return np.zeros(0)


@pair_scheme("full")
class Full(ListScheme):
    pairs = "full"

    def compute(self, tally: bool) -> np.ndarray:
        return self.launch(tally, self.system.atoms.view("f", modify=True))


@pair_scheme("half")
class Half(ListScheme):
    pairs = "half"
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
        self.scatter.reset(rows)
        sums = self.launch(tally, self.scatter)
        self.scatter.collect(rows)
        return sums

    def bytes(self) -> int:
        copies = self.scatter.view.data.nbytes if self.scatter is not None and self.scatter.copy_size else 0
        return copies + (self.slabs.order.data.nbytes if self.slabs is not None else 0)

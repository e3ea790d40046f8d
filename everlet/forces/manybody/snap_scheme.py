"""How SNAP does its work: rows by channel, then chunk by chunk sums of neighbours, products, forces.

One atom is on each lane of a CPU. On a GPU a thread is an atom and some of its numbers, or one neighbour of an atom.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody import snap_atom_loops, snap_component_loops, snap_force_loops, snap_loops, snap_team_loops
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor, team_for
from everlet.portable import Kernel, Space, View, parallel_for, parallel_reduce, parallel_team
from everlet.portable.kernels import register_lanes
from everlet.portable.kinds import dtype
from everlet.registry import Registry
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.snap import SnapParameters

snap_scheme: Registry[type[Scheme]] = Registry("scheme of snap")
GPU_TILE = 32  # atoms side by side
GPU_TEAM = 32  # threads that share the neighbours of an atom
GPU_PARTS = 64  # threads that share the numbers of an atom
GPU_BLOCK = 1024  # threads that share the products of a tile: one block at a time has the cache of a multiprocessor
GPU_BLOCKS = 132  # that keep a GPU busy
GPU_AHEAD = 4  # products whose factors are read before any is used
TEAMS_TO_TRY, AHEADS_TO_TRY = (GPU_TEAM, 16, 8), (GPU_AHEAD, 2, 8)  # by tuning
NEAR_ATOMS = 128  # of one CPU thread in a chunk: their numbers stay in its caches


@snap_scheme("full")
class SnapFull(ScatteredScheme):
    precisions = ("double",)
    parameters: SnapParameters
    parts = usual_ahead = 1
    across = False  # lanes are neighbours in loops over these

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        # loops keep many numbers of each atom: two narrow registers of a CPU or a wide one
        self.width = register_lanes(dtype("real", system.precision), 32) if system.space.target == "cpu" else 1
        self.tile = self.width
        self.short = self.ends = View(0, np.int32, system.space)
        self.room = 0
        self.tables: dict[str, View] = {}

    @classmethod
    def on(cls, space: Space) -> type[Scheme]:
        return SnapOnGpu if space.target == "cuda" else cls

    # ---- kernels
    def _kernel(self, body: Any, names: str, sums: int = 0, width: int = -1) -> Kernel:
        par = self.parameters
        found = {**par.statics_of, "T": self.tile, "PARTS": self.parts, "EV": sums > 0, "DENSE": self.neighbor.dense,
                 "PAD": self.neighbor.pad if self.across else 1, "AHEAD": self.ahead or self.usual_ahead}
        statics = tuple((name, found[name]) for name in names.split())
        return Kernel(body, sums, self.system.precision, par.fields, statics=statics,
                      width=self.width if width < 0 else width)

    @property
    def _rows(self) -> Kernel:
        return self._kernel(snap_loops.by_channel, "MANY NP DENSE CHANNELS PAD", width=0)

    @property
    def _neighbours(self) -> Kernel:
        return self._kernel(snap_loops.neighbours, "T J HALF CHANNELS MANY NP DENSE SWITCH INNER")

    @property
    def _unfold(self) -> Kernel:
        return self._kernel(snap_atom_loops.unfold, "T HALF FULL CHANNELS ALL PARTS")

    @property
    def _weigh(self) -> Kernel:
        return self._kernel(snap_atom_loops.weigh, "T ENTRIES PARTS")

    @property
    def _multiply(self) -> Kernel:
        return self._kernel(snap_atom_loops.multiply, "T HALF FULL CHANNELS MOST PLACES PRODUCTS ENTRIES AHEAD")

    @property
    def _describe(self) -> Kernel:
        return self._kernel(snap_component_loops.describe, "T FULL CHANNELS MOST PLACES LABELS COMPONENTS")

    def _bend(self, tally: bool) -> Kernel:
        return self._kernel(snap_component_loops.bend, "T ENTRIES COMPONENTS MANY EV", sums=int(tally))

    def _fold(self, tally: bool) -> Kernel:
        return self._kernel(snap_atom_loops.fold, "T HALF CHANNELS ALL PARTS EV", sums=int(tally))

    def _forces(self, tally: bool) -> Kernel:
        return self._kernel(snap_force_loops.forces, "T J HALF CHANNELS MANY NP DENSE SWITCH INNER EV", sums=7 * tally)

    def kernels(self) -> list[Kernel]:
        quadratic = self.parameters.quadratic
        own = [self._describe, self._bend(True), self._bend(False)] if quadratic else [self._weigh, self._fold(True)]
        return [self._rows, self._neighbours, self._unfold, self._multiply, *own, self._fold(False), self._forces(False),
                self._forces(True), *self.scatter_kernels()]

    # ---- work
    def compute(self, tally: bool, comm: SerialComm) -> np.ndarray:
        atoms, space = self.system.atoms, self.system.space
        self.fill_rows()
        sums = np.zeros(7)
        with self.forces() as force:
            for begin in range(0, atoms.n, self.chunk()):
                end = min(begin + self.chunk(), atoms.n)
                blocks = -(-(end - begin) // self.width)
                self.reserve(blocks)
                self.sum_neighbours(begin, end, blocks)
                sums += self._slopes(begin, end, blocks, tally)
                reading = *self._reading(begin, end), *self._work(), self.tables["sums"], force
                items = end - begin if self.across else blocks
                if tally:
                    sums += parallel_reduce(space, items, self._forces(True), *reading)
                else:
                    parallel_for(space, items, self._forces(False), *reading)
        return sums

    def chunk(self) -> int:
        """Atoms of one pass, a whole number of blocks."""
        space = self.system.space
        most = self.parameters.chunk if space.target == "cuda" else min(self.parameters.chunk, NEAR_ATOMS * space.threads)
        return max(most // self.tile, 1) * self.tile

    def fill_rows(self) -> None:
        """The neighbours within the cutoff, by channel, at every step anew."""
        near, atoms, par, space = self.neighbor, self.system.atoms, self.parameters, self.system.space
        pitch = near.count.shape[0]
        if self.short.shape[0] != near.neigh.shape[0]:
            self.short = View(near.neigh.shape[0], np.int32, space)
        if self.ends.shape[0] != pitch * par.channels:
            self.ends = View(pitch * par.channels, np.int32, space)
        parallel_for(space, atoms.n, self._rows, atoms.view("x"), atoms.view("type"), par.views["channel"], near.neigh,
                     near.count, near.first, near.si, near.sk, par.table, par.kinds, self.short, pitch, self.ends)

    def reserve(self, blocks: int) -> None:
        """Tables for the atoms of a chunk."""
        par, size = self.parameters, self.parameters.index
        atoms = -(-blocks * self.width // self.tile) * self.tile
        if atoms <= self.room:
            return
        self.room = min(max(atoms, int(1.1 * atoms) // self.tile * self.tile), self.chunk())
        each = {"work": 0 if self.across else 4 * (size.twojmax + 2), "total": 2 * size.half * par.channels,
                "u": 2 * size.full * par.channels, "y": 2 * size.half * par.channels,
                "sums": 8 * size.half * par.channels, "weights": par.entries,
                "components": par.components if par.quadratic else 0, "slopes": par.components + 1 if par.quadratic else 0}
        real = dtype("real", self.system.precision)
        self.tables = {name: View(max(count * self.room, 1), real, self.system.space) for name, count in each.items()}

    def _reading(self, begin: int, end: int) -> tuple[Any, ...]:
        near, atoms, par = self.neighbor, self.system.atoms, self.parameters
        return (begin, end, atoms.view("x"), atoms.view("type"), self.short, near.first, near.si, near.sk, near.filler,
                near.count.shape[0], self.ends, par.table, par.kinds)

    def _work(self) -> tuple[View, ...]:
        """Where loops over neighbours keep the rows at work, if not in memory of each lane."""
        return (self.tables["work"],)

    def sum_neighbours(self, begin: int, end: int, blocks: int) -> None:
        """u of the atoms of a chunk."""
        space, own, views, kind = self.system.space, self.tables, self.parameters.views, self.system.atoms.view("type")
        parallel_for(space, end - begin if self.across else blocks, self._neighbours, *self._reading(begin, end), *self._work(),
                     own["total"])
        parallel_for(space, blocks * self.parts, self._unfold, blocks, begin, kind, views["channel"], views["unfold_from"],
                     views["unfold_scale"], views["unfold_one"], own["total"], own["u"])

    def _lists(self) -> tuple[View, ...]:
        views = self.parameters.views
        return tuple(views[name] for name in ("sections", "ranges", "out", "pairs", "coefficients"))

    def _slopes(self, begin: int, end: int, blocks: int, tally: bool) -> np.ndarray:
        """What forces are made of; the energy, if asked for."""
        space, own, views, par = self.system.space, self.tables, self.parameters.views, self.parameters
        kind, sums = self.system.atoms.view("type"), np.zeros(7)
        if par.quadratic:
            parallel_for(space, blocks, self._describe, begin, kind, *self._lists(), views["mirrored"], views["fold_full"],
                         views["label"], views["norm"], views["zeros"], own["u"], own["components"])
            bending = (begin, end, kind, views["energies"], views["linear"], views["quadratic"], views["entries"],
                       views["ratio"], own["components"], own["slopes"], own["weights"])
            if tally:
                sums[0] = parallel_reduce(space, blocks, self._bend(True), *bending)[0]
            else:
                parallel_for(space, blocks, self._bend(False), *bending)
        else:
            parallel_for(space, blocks * self.parts, self._weigh, blocks, begin, kind, views["weights"], own["weights"])
        self._products(end - begin, blocks)
        folding = (blocks, begin, end, kind, views["channel"], views["energies"], views["fold_from"], views["fold_scale"],
                   views["fold_step"], views["fold_one"], own["total"], own["y"], own["sums"])
        if tally and not par.quadratic:
            sums[0] = parallel_reduce(space, blocks * self.parts, self._fold(True), *folding)[0]
        else:
            parallel_for(space, blocks * self.parts, self._fold(False), *folding)
        return sums

    def _products(self, atoms: int, blocks: int) -> None:
        own = self.tables
        parallel_for(self.system.space, blocks * self.parameters.index.places, self._multiply, *self._lists(), own["u"],
                     own["weights"], own["y"])

    def bytes(self) -> int:
        return sum(view.data.nbytes for view in (self.short, self.ends, *self.tables.values()))


class SnapOnGpu(SnapFull):
    """A team of threads for the neighbours of each atom, several threads for its numbers; nothing is asked of the host."""

    steady = True
    gpu_options = True
    teams = (1, 2, 4, 8, 16, 32)
    aheads = (1, 2, 4, 8)
    parts = GPU_PARTS
    usual_ahead = GPU_AHEAD
    across = True

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.tile = GPU_TILE

    @classmethod
    def teams_to_try(cls, system: System) -> list[int]:
        return list(TEAMS_TO_TRY)

    @classmethod
    def aheads_to_try(cls, system: System) -> list[int]:
        return list(AHEADS_TO_TRY)

    def _team(self, body: Any, names: str, sums: int = 0) -> Kernel:
        kernel = self._kernel(body, names, sums, width=0)
        return replace(kernel, team=self.team or GPU_TEAM, carveout=self.carveout)

    @property
    def _rows(self) -> Kernel:
        return replace(super()._rows, team=team_for(self.system.atoms.n, self.neighbor.pad))

    @property
    def _neighbours(self) -> Kernel:
        return self._team(snap_team_loops.team_neighbours, "T J HALF CHANNELS MANY NP DENSE SWITCH INNER")

    def _forces(self, tally: bool) -> Kernel:
        return self._team(snap_team_loops.team_forces, "T J HALF CHANNELS MANY NP DENSE SWITCH INNER EV", 7 * tally)

    def _work(self) -> tuple[View, ...]:
        return ()

    @property
    def _split(self) -> int:
        """Blocks that share a tile, of all chunks alike: more where there are few tiles."""
        tiles = -(-min(self.system.atoms.n, self.chunk()) // self.tile)
        return 4 if 4 * tiles <= GPU_BLOCKS else 2 if 2 * tiles <= GPU_BLOCKS else 1

    @property
    def _multiply(self) -> Kernel:
        places, abreast = self.parameters.index.places, GPU_BLOCK // GPU_TILE if self.system.space.target == "cuda" else 1
        kernel = self._kernel(snap_atom_loops.multiply_tile, "T HALF FULL CHANNELS MOST PLACES PRODUCTS ENTRIES AHEAD")
        own = (("SPLIT", self._split), ("ABREAST", abreast), ("ROUNDS", -(-places // (self._split * abreast))))
        return replace(kernel, statics=kernel.statics + own, team=GPU_BLOCK, league=True)

    def _products(self, atoms: int, blocks: int) -> None:
        own, tiles = self.tables, -(-atoms // self.tile)
        parallel_team(self.system.space, tiles * self._split, self._multiply, atoms, *self._lists(), own["u"],
                      own["weights"], own["y"])
